"""Embedding and reranking models: built or installed from published weights, run with ONNX Runtime."""
