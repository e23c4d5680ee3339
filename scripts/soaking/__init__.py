"""A long random session with one engine process, and checks of its memory, files and latency: the modules of `scripts/soak`."""
