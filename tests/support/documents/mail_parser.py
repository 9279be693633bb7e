"""Parser for mails that tests can write as plain text, and for plain text itself."""

import json
from collections.abc import Mapping
from dataclasses import replace

from groundwire.domain.errors import DocumentRefused
from groundwire_readers.contents.parsed import Attachment, ParsedDocument
from tests.support.documents.plain_text_parser import PlainText

Carried = Mapping[str, bytes] | list[tuple[str, bytes]]


def mail(text: str, attachments: Carried) -> bytes:
    """The bytes of a mail; a list where several attachments have one name."""
    carried = attachments if isinstance(attachments, list) else list(attachments.items())
    return json.dumps({"text": text, "attachments": [(name, content.hex()) for name, content in carried]}).encode()


class Mails(PlainText):
    """Parser of the mails that `mail` writes, which counts its calls."""

    def __init__(self) -> None:
        self.parsed = 0

    def parse(
        self, content: bytes, file_type: str, *, with_images: bool = False, with_thumbnails: bool = False
    ) -> ParsedDocument:
        """A mail with its attachments, or the paragraphs of a text; Raises DocumentRefused."""
        self.parsed += 1
        if file_type != "eml":
            return super().parse(content, file_type, with_images=with_images, with_thumbnails=with_thumbnails)
        try:
            held = json.loads(content)
        except ValueError as error:
            raise DocumentRefused("the mail is damaged") from error
        attachments = tuple(Attachment(name, bytes.fromhex(carried)) for name, carried in held["attachments"])
        text = super().parse(held["text"].encode(), "txt", with_images=with_images, with_thumbnails=with_thumbnails)
        return replace(text, attachments=attachments)
