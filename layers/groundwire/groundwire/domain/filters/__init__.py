"""Filters over metadata: expression, parser, lexer."""
