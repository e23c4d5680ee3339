"""What all scripts share: command lines, files, journals, escaped text and exit statuses."""
