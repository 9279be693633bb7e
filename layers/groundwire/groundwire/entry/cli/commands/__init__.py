"""Commands of the command line, one module per noun."""
