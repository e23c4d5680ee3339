"""What scripts/package and the workflows of a release use: see `formula`, `glibc`, `manifest` and `release_notes`."""
