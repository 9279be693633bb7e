"""Benchmarks: one command each, every figure beside its anchor from the same run."""
