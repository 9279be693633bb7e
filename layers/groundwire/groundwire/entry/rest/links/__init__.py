"""Links to documents: opening, pages and originals."""
