"""Modules shared by all scripts: command lines, files, journals, text, exit statuses, and jobs of numbered tasks."""
