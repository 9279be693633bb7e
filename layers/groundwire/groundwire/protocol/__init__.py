"""The Model Context Protocol itself: both eras over one URL, knowing nothing of retrieval."""
