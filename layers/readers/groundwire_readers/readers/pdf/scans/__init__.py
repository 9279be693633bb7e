"""Text recognition of PDF pages: pictures of pages become words with boxes, or nothing where they cannot be read."""
