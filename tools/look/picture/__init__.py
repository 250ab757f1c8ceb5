"""Cells as a PNG, without a browser. Imports Pillow: import this room only where an image is asked for."""
