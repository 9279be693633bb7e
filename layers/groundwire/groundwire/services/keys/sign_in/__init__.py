"""Sign-in of people to the page, by a key or by the identity provider."""
