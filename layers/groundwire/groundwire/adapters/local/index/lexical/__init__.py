"""Lexical search: tokens, postings, BM25."""
