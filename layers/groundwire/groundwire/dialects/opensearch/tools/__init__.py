"""Types of tools over indexes: descriptions, arguments, presets, and texts of answers."""
