"""CSS of a page: its style sheets, and what its styles leave to be seen."""
