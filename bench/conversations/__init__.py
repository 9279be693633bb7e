"""Conversations for `groundwire eval`, and their figures over several test sets."""
