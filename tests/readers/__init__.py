"""The parser: what it reads, what it refuses, and what a hostile file cannot do."""
