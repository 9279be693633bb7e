"""Inference with ONNX Runtime: tokenizers, pooling, embedder, reranker."""
