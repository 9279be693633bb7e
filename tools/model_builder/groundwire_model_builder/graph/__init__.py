"""Construction of ONNX graphs from published weights."""
