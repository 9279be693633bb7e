"""Installation of models: download, conversion, verification."""
