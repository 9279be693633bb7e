"""Answers in the form of Azure AI Search: response, activity and references of each version."""
