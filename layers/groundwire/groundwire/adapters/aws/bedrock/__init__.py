"""Models that Amazon Bedrock runs: embedders and rerankers, by model id."""

from groundwire.adapters.aws.bedrock.embedder import BedrockEmbedder
from groundwire.adapters.aws.bedrock.reranker import BedrockReranker

__all__ = ["BedrockEmbedder", "BedrockReranker"]
