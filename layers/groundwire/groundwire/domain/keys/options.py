"""Options of a key: what its calls may use besides documents, and the form of their answers.

A key's order, the key, the caller of its calls and the REST API carry the same value, so a further option is declared
here alone: as an attribute of `KeyOptions` and as a field of `STORED_OPTIONS`.
"""

from dataclasses import dataclass
from typing import Final

from groundwire.domain import limits
from groundwire.domain.access.toolsets import DEFAULT_TOOLSET
from groundwire.domain.errors import InvalidInput
from groundwire.domain.limits import DEFAULT_ANSWER_TOKENS, DEFAULT_TOP_N
from groundwire.stored.fields import REQUIRED, Shown, field
from groundwire.stored.kinds import BOOLEAN, INTEGER, REAL, TEXT, TEXT_SET
from groundwire.stored.stored_type import StoredType


@dataclass(frozen=True, slots=True)
class KeyOptions:
    """Options of a key; a right has no default.

    Attributes:
        toolset: name of the set of tools that an agent with this key sees.
        dialects: names of those that it may use; None: all that the deployment has switched on.
        sources: the tools of MCP sources are listed on the shared path, too.
        top_n: passages per answer. expand_tokens: tokens of text around each passage, 0: none.
        max_tokens: tokens of an answer at most, unless a call states otherwise.
        floor: least relevance of an answer's best passage, 0 to 1, whatever a call requests; 0: no floor; None: that of
            the collections.
        require_user: a call by a delegated key that names no user is refused, so that a block recognises every call.
        no_originals: answers and links give passages, and never the original file or a picture of it.
        may_search_as: a search of an administrator's call may have the rights of another person.
        split_first_phrase: `rag_search` also searches the questions of a compound first phrase one by one.
    """

    toolset: str
    dialects: frozenset[str] | None
    sources: bool
    top_n: int = DEFAULT_TOP_N
    expand_tokens: int = 0
    max_tokens: int = DEFAULT_ANSWER_TOKENS
    floor: float | None = None
    split_first_phrase: bool = False
    require_user: bool = False
    no_originals: bool = False
    may_search_as: bool = False

    def allows_dialect(self, dialect: str) -> bool:
        """Return whether the key may use the dialect."""
        return self.dialects is None or dialect in self.dialects


USUAL_OPTIONS: Final = KeyOptions(DEFAULT_TOOLSET, dialects=None, sources=False)
"""Options of a key whose order names none."""

STORED_OPTIONS: Final = StoredType(
    KeyOptions,
    field("top_n", INTEGER, absent=REQUIRED, description="Number of passages in an answer."),
    field("expand_tokens", INTEGER, absent=REQUIRED, description="Tokens of surrounding text for each passage."),
    field(
        "max_tokens",
        INTEGER,
        absent=DEFAULT_ANSWER_TOKENS,
        shown=Shown.ALWAYS,
        description="Most tokens of an answer.",
    ),
    field("toolset", TEXT, absent=REQUIRED, description="Set of tools that the agent sees."),
    # Keys of the releases without this limit have none; an empty set, not the absence, is no dialect.
    field(
        "dialects",
        TEXT_SET,
        absent=None,
        description="Dialects that the key may use; null: every dialect that is on.",
    ),
    field(
        "floor",
        REAL,
        absent=None,
        description="Least relevance of a passage; 0: no floor; null: that of the collections.",
    ),
    field(
        "split_first_phrase",
        BOOLEAN,
        absent=False,
        description="`rag_search` also searches each question of a compound first phrase.",
    ),
    field(
        "require_user",
        BOOLEAN,
        absent=False,
        description="A call by a delegated key that names no user is refused.",
    ),
    field(
        "no_originals",
        BOOLEAN,
        absent=False,
        description="Answers and links give passages, and never the original file or a picture of it.",
    ),
    field(
        "may_search_as",
        BOOLEAN,
        absent=False,
        description="A search of an administrator may have the rights of another person (`as`).",
    ),
    field("sources", BOOLEAN, absent=False, description="`/mcp` lists the tools of MCP sources, too."),
)


def check_options(options: KeyOptions) -> None:
    """Check the numbers of the options, except the floor, which `domain.search.relevance` checks.

    Raises:
        InvalidInput: one is out of bounds.
    """
    if not 1 <= options.top_n <= limits.MAX_TOP_N:
        raise InvalidInput(f"An answer contains 1 to {limits.MAX_TOP_N} passages.")
    if not 0 <= options.expand_tokens <= limits.MAX_EXPAND_TOKENS:
        raise InvalidInput(f"A passage includes 0 to {limits.MAX_EXPAND_TOKENS} tokens of surrounding text.")
    if not limits.MIN_ANSWER_TOKENS <= options.max_tokens <= limits.MAX_ANSWER_TOKENS:
        raise InvalidInput(f"The token limit of an answer is {limits.MIN_ANSWER_TOKENS} to {limits.MAX_ANSWER_TOKENS}.")
