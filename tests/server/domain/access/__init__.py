"""Tests of the access rule for any number of tags and users."""
