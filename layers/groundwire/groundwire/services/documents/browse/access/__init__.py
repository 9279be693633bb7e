"""Questions about access: may a person read a document and why, who can read it, what can a person read, what if."""
