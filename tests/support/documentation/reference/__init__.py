"""Pages of the reference, generated from the code: `make reference` writes them."""
