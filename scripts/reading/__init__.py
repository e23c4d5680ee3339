"""What the pages promise, extracted and held against what happens: `scripts/try-readme`."""
