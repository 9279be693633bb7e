"""JSON-RPC 2.0: decoding, messages, parameters, errors."""
