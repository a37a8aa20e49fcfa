"""Tests of the measurement in benchmarks/mutation."""
