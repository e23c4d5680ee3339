"""Reads commands and their expected outputs from Markdown pages, for `scripts/try-readme`."""
