"""Callers at rest beside one that sends as much as it can."""
