"""Tests of the official suite, and docs/official.md."""
