"""Tables of PDF pages, assembled from the places of words and rules."""
