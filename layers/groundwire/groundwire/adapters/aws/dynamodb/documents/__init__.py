"""Document records in DynamoDB."""
