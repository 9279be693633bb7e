"""Access to DynamoDB tables: attribute values, errors, retries."""
