"""Links to documents: what a link grants, its short form, and the documents' own URLs."""
