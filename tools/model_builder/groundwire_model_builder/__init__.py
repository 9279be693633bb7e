"""Builder of models: weights of a package or of a hub become a quantised ONNX graph with its manifest.

It runs beside the server, which reads the folder that it writes.
"""

__version__ = "0.1.0"

__all__ = ["__version__"]
