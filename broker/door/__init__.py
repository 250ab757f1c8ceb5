"""Finding, starting and joining a broker. Standard library only: every agent pays for what is imported."""
