"""Tests of the engines and of the emulated OpenSearch service."""
