"""Names that a key may have of what dialects declare."""

from typing import NamedTuple

from groundwire.domain.errors import InvalidInput


class KeyChoices(NamedTuple):
    """Names of the toolsets and of the dialects that there are."""

    toolsets: frozenset[str]
    dialects: frozenset[str]

    def check(self, toolset: str, dialects: frozenset[str] | None) -> None:
        """Check the names of a key; None: every dialect.

        Raises:
            InvalidInput: there is no such toolset or dialect, or the key may use no dialect at all.
        """
        if toolset not in self.toolsets:
            raise InvalidInput(f"There is no toolset {toolset!r}; there are: {', '.join(sorted(self.toolsets))}.")
        if dialects is None:
            return
        if not dialects:
            raise InvalidInput("A key needs at least one dialect: name one, or leave the dialects out for all of them.")
        if unknown := sorted(dialects - self.dialects):
            raise InvalidInput(f"There is no dialect {unknown[0]!r}; there are: {', '.join(sorted(self.dialects))}.")
