"""Flow of a Word part: its paragraphs, tables, pictures and notes in the order in which people read them."""
