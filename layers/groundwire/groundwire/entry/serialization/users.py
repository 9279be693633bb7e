"""JSON of blocks of users and of the receipt of an offboarding, the same for REST and command line."""

from typing import TYPE_CHECKING

from groundwire.domain.errors import InvalidInput
from groundwire.entry.serialization.entities import user_to_json
from groundwire.entry.serialization.stored_members import format_utc

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from groundwire.domain.access.decision import Decision
    from groundwire.domain.access.user_blocks import UserBlock
    from groundwire.domain.audit.facts import AuditFacts
    from groundwire.domain.keys.api_key import ApiKey
    from groundwire.services.keys.users import OffboardingReceipt


def block_to_json(block: "UserBlock") -> dict[str, object]:
    """Return a block with the decision of the person who set it."""
    decision = block.decision
    return {
        "user": block.user,
        # Stored as empty texts, which a reader of JSON would take for names.
        "decided_by": decision.decided_by or None,
        "decided_at": format_utc(decision.decided_at),
        "decided_key": decision.decided_key or None,
        "decision_reason": decision.decision_reason or None,
    }


def users_after(
    entries: "Iterable[tuple[str, frozenset[str]]]", after: str | None
) -> "Iterator[tuple[str, dict[str, object]]]":
    """Yield the entries after a position, each with its own; a position is the id, which may be deleted meanwhile."""
    for user, tags in entries:
        if after is None or user > after:
            yield user, user_to_json(user, tags)


def blocks_after(blocks: "Iterable[UserBlock]", after: str | None) -> "Iterator[tuple[str, dict[str, object]]]":
    """Yield the blocks after a position, each with its own, of blocks from the earliest.

    Raises:
        InvalidInput: the position is not one of a block.
    """
    start = None if after is None else _block_order(after)
    for block in blocks:
        # The time alone may be that of several blocks: a command blocks all ids of a person at once.
        position = f"{block.decision.decided_at!r} {block.user}"
        if start is None or _block_order(position) > start:
            yield position, block_to_json(block)


def _block_order(position: str) -> tuple[float, str]:
    time, _, user = position.partition(" ")
    try:
        return float(time), user
    except ValueError:
        raise InvalidInput("`after` is not the position of a block: request the first page without it.") from None


def receipt_to_json(receipt: "OffboardingReceipt") -> dict[str, object]:
    """Return a receipt: what ended, and what a person has to look at."""
    return {
        "users": [block_to_json(block) for block in receipt.blocks],
        "revoked_keys": _keys(receipt.revoked_keys),
        "created_keys": _keys(receipt.created_keys),
        "keys_without_creator": receipt.keys_without_creator,
        "keys_without_user": _keys(receipt.keys_without_user),
        "removed_tags": [user_to_json(user, tags) for user, tags in receipt.removed_tags],
        "documents": [
            {
                "doc_id": named.document.doc_id,
                "collection": named.document.collection,
                "file": named.document.source_file_name,
                "named_in": list(named.named_in),
            }
            for named in receipt.documents
        ],
        "sources": [{"id": source.source_id, "name": source.name} for source in receipt.sources],
    }


def block_facts(users: "Iterable[str]", decision: "Decision") -> "AuditFacts":
    """Return the members of an audit line about users who were blocked."""
    reason: AuditFacts = {"decision_reason": decision.decision_reason} if decision.decision_reason else {}
    return {"blocked": list(users), **reason}


def receipt_facts(receipt: "OffboardingReceipt", decision: "Decision") -> "AuditFacts":
    """Return the members of an audit line about an offboarding."""
    revoked = [key.kid for key in (*receipt.revoked_keys, *receipt.created_keys) if key.revoked]
    return {**block_facts([block.user for block in receipt.blocks], decision), "revoked": revoked}


def _keys(keys: "Iterable[ApiKey]") -> list[dict[str, object]]:
    return [
        {"kid": key.kid, "name": key.name, "kind": key.kind.value, "user": key.user, "revoked": key.revoked}
        for key in keys
    ]
