"""Programs that run the code of a tree and print, as JSON, what of it AWS would stop; each imports that tree alone."""
