"""Search requests to OpenSearch and the candidates they return."""
