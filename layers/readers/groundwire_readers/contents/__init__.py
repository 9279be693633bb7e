"""Contents of a file as the reader of each format gives them, and their parts."""
