"""What the deployed functions keep in AWS; the only imports of boto3."""
