"""Operations of commands that explain access, and that read who had it."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from groundwire.entry.cli.console import Row
from groundwire.entry.cli.target.action_client import ActionClient, rows_of


class PersonChoice(NamedTuple):
    """Person of a question, as a command names it.

    Attributes:
        tags: tags of the call; None: those that are stored for the user.
        kid: key of the call; None: the question is about user and tags alone.
    """

    user: str | None
    tags: Sequence[str] | None
    kid: str | None


class AuditOperations:
    """The audit log of a tenant."""

    def __init__(self, client: ActionClient) -> None:
        self._client = client

    def page(self, conditions: Mapping[str, str | None], limit: int, after: str | None) -> Row:
        """Return a part of the lines as `rows`, the latest first, and as `next` what is `after` for the next part.

        Raises:
            InvalidInput: a condition is not valid.
        """
        return self._client.execute("audit.list", **conditions, limit=limit, after=after)


class AccessOperations:
    """Questions about the access to a tenant's documents."""

    def __init__(self, client: ActionClient) -> None:
        self._client = client

    def check(self, person: PersonChoice, document: str) -> Row:
        """Return whether the person may read the document, and why.

        Raises:
            NotFound: there is no such document or key. InvalidInput: the user, a tag or the key cannot be used so.
        """
        return self._client.execute("access.check", document=document, **person._asdict())

    def readers(self, document: str) -> Row:
        """Return who can read the document.

        Raises:
            NotFound: there is no such document.
        """
        return self._client.execute("access.readers", document=document)

    def documents(self, person: PersonChoice, collection: str | None) -> Row:
        """Return the person, and all documents that the person can read, by id.

        Raises:
            NotFound: there is no such key. InvalidInput: the user, a tag or the key cannot be used so.
        """
        fields = {**person._asdict(), "collection": collection}
        page = self._client.execute("access.documents", **fields)
        rows = rows_of(page, "documents")
        while (after := page.get("next")) is not None:
            page = self._client.execute("access.documents", after=after, **fields)
            rows += rows_of(page, "documents")
        return {"person": page["person"], "documents": rows}

    def what_if(self, change: str, **members: object) -> Row:
        """Return the effect of a change on readers or documents.

        Raises:
            NotFound: there is no such document or key. InvalidInput: the change is not valid.
        """
        return self._client.execute("access.what-if", change=change, **members)

    def why_not(self, person: PersonChoice, document: str, phrases: Sequence[str], **conditions: object) -> Row:
        """Return what became of the document in a search of the person.

        Conditions are `collections`, `where`, `top_n` and `min_relevance`; None is none.

        Raises:
            NotFound: there is no such document or key. InvalidInput: the person or the search is not valid.
        """
        given = {name: value for name, value in conditions.items() if value is not None}
        return self._client.execute(
            "access.why-not", document=document, phrases=list(phrases), **person._asdict(), **given
        )
