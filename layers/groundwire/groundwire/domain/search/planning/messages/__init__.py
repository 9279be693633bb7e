"""Messages of a user: the questions in them, beside chatter, requests on the form of the answer, and pasted text."""
