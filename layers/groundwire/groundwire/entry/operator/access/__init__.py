"""Actions about access: questions, tags and groups, users and their blocks."""
