"""Text layer of a page: its characters become words in logical order, each with the style in which it is drawn."""
