"""Limits of a document's way through the parser function: times that depend on each other, and sizes."""

from typing import Final

from groundwire_readers.contents import limits as readers_limits
from groundwire_readers.sandbox.processes import process

SIGNATURE_SECONDS: Final = 300
"""Age of a signature after which the bucket refuses it: `s3:signatureAge` of the template's bucket policy."""
CLIENT_SECONDS: Final = 255
"""Read timeout of the caller, which ends before the signatures do: the function's time, and 10 s for a cold start.

Source of the 10 s: AWS Lambda's limit for the initialisation of an environment.
"""
FUNCTION_SECONDS: Final = 240
"""Timeout of the function: the time of a document, the start of two workers, and the transfer of 250 MB."""
FRESH_ATTEMPT_SECONDS: Final = 30
"""Time within which a function that ends has the document given to a fresh environment, once.

Both invocations and the rest of an ingestion then fit into the timeout of the ingestion function, 360 s.
"""
DOCUMENT_SECONDS: Final = 200
"""Everything about one document: its text, the recognition of text, and its images."""
TEXT_BYTES: Final = 48 * 1024 * 1024
"""Size of the text as JSON: the caller holds several copies of it in its 1,024 MB."""
TEXT_PARTS: Final = 500_000
"""Paragraphs and cells, which cost more memory than their bytes."""
PARSER_LIMITS: Final = process.ParserLimits(
    wall_seconds=180.0,
    start_seconds=10.0,
    document_seconds=float(DOCUMENT_SECONDS),
    result_bytes=TEXT_BYTES + readers_limits.MAX_DOCUMENT_BYTES,
    result_parts=TEXT_PARTS,
)
"""Limits of the worker in the function."""
OWN_MEMORY_MB: Final = 768
"""Memory of the function beside its worker's, with the largest document and result: the fork server is in it."""
IMAGES_BYTES: Final = process.IMAGES_REPLY_BYTES + process.THUMBNAILS_BYTES
RESULT_BYTES: Final = PARSER_LIMITS.result_bytes + IMAGES_BYTES + 1024
"""Size of a result: text, attachments of at most a document's size, images, thumbnails, and lengths."""
PICTURE_CLIENT_SECONDS: Final = 24
"""Read timeout of the caller who waits for the picture of a page: 4 s of its own 29 s remain to answer."""
PICTURE_RESULT_BYTES: Final = process.PICTURE_REPLY_BYTES + 1024
"""Size of the result of a page: the picture, the words, and lengths."""
