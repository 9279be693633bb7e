"""Definitions of agents, knowledge bases and knowledge sources: read by every key, written by administrators."""
