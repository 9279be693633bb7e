"""Query planners: by rules, and by language models that fall back on the rules."""
