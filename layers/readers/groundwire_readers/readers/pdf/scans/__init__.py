"""Text recognition of PDF pages: images of pages become words with boxes, or nothing where they cannot be read."""
