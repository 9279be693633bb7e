"""Lines of the audit log: who did what to which objects, and how it ended; never a secret or the text of a document."""
