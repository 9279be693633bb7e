"""Smallest inputs that break one rule and no other, each beside one that passes."""
