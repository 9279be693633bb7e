"""Lexical search in memory: postings, weights of terms, statistics of callers, BM25."""
