"""Finding, starting and joining a broker. Standard library only: every agent's process pays for what is
imported here.
"""
