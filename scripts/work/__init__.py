"""Work in numbered pieces: how it is shown, written down, and handed out."""
