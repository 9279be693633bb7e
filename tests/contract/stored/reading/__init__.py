"""Readers of what a release stores: each answers with facts that two releases can be compared by.

They use the package that is on the path and nothing else of the tests, so that they run with the code of an earlier
release too.
"""
