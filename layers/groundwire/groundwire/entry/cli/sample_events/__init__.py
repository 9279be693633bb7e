"""Sample events of API Gateway and S3."""
