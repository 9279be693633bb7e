"""Editors of Word parts, each of which prepares one kind of content for the parser library."""
