"""Limits of a document and of what is kept of it, each with its reason."""

from typing import Final

MAX_METADATA_FIELDS: Final = 32
MAX_METADATA_VALUE_CHARACTERS: Final = 1_000
MAX_METADATA_LIST_ITEMS: Final = 64
MAX_DOCUMENT_BYTES: Final = 100 * 1024 * 1024
OCR_MAX_PAGES: Final = 50
"""Pages of one document that are recognised: at some seconds each, the time that a person waits."""
MAX_ATTACHMENTS: Final = 100
"""Files of one mail that become documents; their total size is at most that of a document."""
MAX_ATTACHMENT_NAME_CHARACTERS: Final = 255
MAX_IMAGES: Final = 50
"""Images kept of one document."""
MAX_IMAGE_PIXELS: Final = 40_000_000
"""Pixels of one image as its header declares them: 120 MB when decoded, of the 2 GB that the parser may use."""
MAX_DOCUMENT_IMAGE_PIXELS: Final = 400_000_000
"""Pixels decoded of one document: ten images of the largest size, a minute of one processor."""
MIN_IMAGE_SIDE: Final = 48
"""Pixels of the shorter side; what is smaller is a bullet, an icon or a rule."""
MAX_IMAGE_RATIO: Final = 20
"""Ratio of the sides; what is longer is a rule or a border."""
MAX_IMAGE_SIDE: Final = 2_048
"""Pixels of the longer side of a kept image, to which larger ones are scaled down: small print stays legible."""
MAX_IMAGE_BYTES: Final = 650_000
"""Size of one kept image: three of them fit into an answer of 2 MB."""
MAX_DOCUMENT_IMAGE_BYTES: Final = 20_000_000
"""Size of all kept images of one document."""
MAX_IMAGE_TEXT_CHARACTERS: Final = 2_000
"""Length of each text of an image."""
MAX_PAGE_PICTURE_SIDE: Final = 1_600
"""Pixels of the longer side of a page's picture: a letter of 10 points has 20 pixels, which people read on a screen."""
MAX_PAGE_WORDS: Final = 5_000
"""Words of a page whose places are kept with its picture: ten times those of a dense page."""
MAX_PAGE_WORD_CHARACTERS: Final = 200
PAGE_PICTURE_SECONDS: Final = 20
"""Time for the picture of a page, with the start of its worker: somebody waits for it, and a gateway gives up at 30."""
