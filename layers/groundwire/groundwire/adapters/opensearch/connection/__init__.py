"""HTTP client of OpenSearch: login, signatures, retries, errors."""
