"""Code that several test suites share, by topic; it holds no tests."""
