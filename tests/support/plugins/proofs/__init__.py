"""Proofs: a suite that passed is skipped by `make check` while none of its inputs has changed."""
