"""Image sources: one module per format that finds a document's images and the texts around them."""
