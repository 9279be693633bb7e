"""Filters in Milvus's expression language: lexer, parser by its grammar, and conditions of the filter tree."""
