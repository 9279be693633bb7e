"""Grammar of the product's own filters: lexer, literals, parser, and the text of a filter."""
