"""Registry in DynamoDB: tenants, keys, documents, sessions, and what ingestion coordinates."""
