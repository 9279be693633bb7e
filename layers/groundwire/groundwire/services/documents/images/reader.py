"""Reader of images: the row of an id under the rights of its document, and the picture of a row.

An image that is missing, of a deleted or forbidden document, or not covered by the key gives None, as for passages.
"""

from typing import TYPE_CHECKING, NamedTuple

from groundwire.domain.documents.ids import doc_id_from_uid
from groundwire.services.documents.browse.read_access import is_original_withheld, may_read
from groundwire.services.documents.images.search import FoundImage, found_image

if TYPE_CHECKING:
    from collections.abc import Callable

    from groundwire.domain.keys.caller import Caller
    from groundwire.ports import Collections
    from groundwire.services.documents.browse import DocumentReader
    from groundwire.services.documents.images.store import ImageStore, Picture


class ReadImage(NamedTuple):
    """An image that the caller may read.

    Attributes:
        picture: None where the picture is not stored.
    """

    image: FoundImage
    picture: "Picture | None"


class ImageReader:
    """Reader of images for a caller.

    Args:
        rows: reader of the index of images, behind a function, as most ids name no image.
        store: stored pictures, likewise.
        collections: stored collections, not cached, likewise behind a function.
    """

    def __init__(
        self,
        rows: "Callable[[], DocumentReader]",
        store: "Callable[[], ImageStore]",
        collections: "Callable[[], Collections]",
    ) -> None:
        self._rows = rows
        self._store = store
        self._collections = collections

    def find(self, caller: "Caller", image_id: str) -> FoundImage | None:
        """Return the image of this id; None also where the current version does not have it."""
        doc_id = doc_id_from_uid(image_id)
        if doc_id is None:
            return None
        document = self._rows().document(caller, doc_id)
        if document is None or not document.images:
            return None
        row = self._rows().segment(caller, image_id)
        return None if row is None else found_image(row)

    def picture(self, caller: "Caller", image: FoundImage) -> "Picture | None":
        """Return the picture of the version in the image's record; None where that does not admit the caller.

        None also where the key or the collection withholds originals, of which a picture is a part, and where the
        picture is not stored, or not with the content that the row names.
        """
        document = image.document
        if not may_read(caller, document):
            return None
        tenant = caller.principal.tenant
        if is_original_withheld(self._collections(), tenant, document, by_key=caller.options.no_originals):
            return None
        return self._store().find(tenant, document.doc_id, document.version, image.number, image.digest)

    def read(self, caller: "Caller", image_id: str) -> ReadImage | None:
        """Return the image of this id with its picture; None as for `find`."""
        image = self.find(caller, image_id)
        if image is None:
            return None
        picture = self.picture(caller, image)
        if picture is None:
            # A new version replaces the pictures, and a deletion removes them, between the reads.
            image = self.find(caller, image_id)
            picture = None if image is None else self.picture(caller, image)
        return None if image is None else ReadImage(image, picture)
