"""Rules on who may read what, checked by random histories against an oracle."""
