"""API keys in DynamoDB: storage, admission of calls, rate limits."""
