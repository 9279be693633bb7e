"""Decoding and encoding of raster images: headers, PNG streams, and the parser library as decoder."""
