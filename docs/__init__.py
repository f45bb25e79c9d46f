"""Documentation pages, generated from docstrings and real samples."""
