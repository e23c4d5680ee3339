"""What all scripts share: command lines, files, journals, text, exit statuses, and jobs of numbered tasks."""
