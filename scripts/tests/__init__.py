"""Tests of the scripts, with fake engines and programs that fail in known ways."""
