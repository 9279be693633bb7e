"""Text of documents: normalisation, markup and words without meaning of their own."""
