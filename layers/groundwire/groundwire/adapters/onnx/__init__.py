"""The embedding model: built from published weights, loaded with ONNX Runtime."""
