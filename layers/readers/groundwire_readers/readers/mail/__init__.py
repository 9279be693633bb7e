"""Readers of mail files and their attachments."""
