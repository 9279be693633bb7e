"""What all requests and answers have in common."""

from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from groundwire.domain.limits import MAX_TAG_CHARACTERS, MAX_TAGS_PER_CALL, MAX_USER_CHARACTERS
from groundwire.domain.references import MAX_ID_CHARACTERS

DOC_ID_FORM: Final = r"^[A-Za-z0-9][A-Za-z0-9_.-]*$"


class Sent(BaseModel):
    """A request: an unknown field is refused, so that a typing error never means a default."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Told(BaseModel):
    """An answer: no other fields, each always there."""

    model_config = ConfigDict(extra="forbid", frozen=True)


Moment = Annotated[str, Field(json_schema_extra={"format": "date-time"}, examples=["2026-10-01T12:00:00Z"])]
"""UTC, to the second."""
Whole = Annotated[int, Field(strict=True)]
Flag = Annotated[bool, Field(strict=True)]
Tag = Annotated[str, Field(min_length=1, max_length=MAX_TAG_CHARACTERS, examples=["department:sales"])]
Tags = Annotated[list[Tag], Field(max_length=MAX_TAGS_PER_CALL)]
User = Annotated[str, Field(min_length=1, max_length=MAX_USER_CHARACTERS, examples=["maria@acme.example"])]
DocId = Annotated[str, Field(max_length=MAX_ID_CHARACTERS, pattern=DOC_ID_FORM, examples=["handbook-2026"])]
CollectionName = Annotated[str, Field(max_length=MAX_ID_CHARACTERS, pattern=DOC_ID_FORM, examples=["handbook"])]
