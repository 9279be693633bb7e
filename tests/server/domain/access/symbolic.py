"""Symbolic execution of the access rule: the code itself runs, with terms of a solver in place of names.

A condition of the code takes both values, one after the other, so that all paths are run. The result is one formula
that holds exactly where the code returns something true, for any number of tags and users. The code tests sets and
names by the operations below alone; another operation fails, so that nothing is left out unnoticed.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import z3

TAG: Final = z3.DeclareSort("Tag")
USER: Final = z3.DeclareSort("User")
COLLECTION: Final = z3.DeclareSort("Collection")
_MOST_PATHS: Final = 10_000


class Branches:
    """Values of the conditions of one path, in the order in which the code meets them."""

    def __init__(self, decided: list[bool]) -> None:
        self._decided = decided
        self.taken: list[tuple[Any, bool]] = []
        self._values: dict[int, bool] = {}

    def choose(self, condition: Any) -> bool:
        """Return the value of the condition on this path."""
        # A condition that the code tests again has the value that it had: equal terms have one id.
        term = z3.simplify(condition)
        if z3.is_true(term) or z3.is_false(term):
            return z3.is_true(term)
        if term.get_id() not in self._values:
            at = len(self.taken)
            self._values[term.get_id()] = self._decided[at] if at < len(self._decided) else True
            self.taken.append((term, self._values[term.get_id()]))
        return self._values[term.get_id()]

    @property
    def formula(self) -> Any:
        """Formula that holds where the code takes this path."""
        return z3.And(*(term if value else z3.Not(term) for term, value in self.taken))


def explore(run: Callable[[Branches], object]) -> Any:
    """Return the formula that holds exactly where `run` returns something true."""
    true: list[Any] = []
    waiting: list[list[bool]] = [[]]
    for _ in range(_MOST_PATHS):
        if not waiting:
            return z3.Or(*true)
        decided = waiting.pop()
        branches = Branches(decided)
        if run(branches):
            true.append(branches.formula)
        values = [value for _, value in branches.taken]
        waiting += [[*values[:at], False] for at in range(len(decided), len(values))]
    raise AssertionError("The code has more paths than can be explored.")


@dataclass(frozen=True, eq=False, slots=True)
class Name:
    """Symbolic tag, user or collection."""

    term: Any
    branches: Branches

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Name) and self.branches.choose(self.term == other.term)

    def __hash__(self) -> int:
        return hash(self.term)


@dataclass(frozen=True, eq=False, slots=True)
class Names:
    """Symbolic set of tags, users or collections, in the place of a frozen set."""

    term: Any
    branches: Branches

    def __bool__(self) -> bool:
        return self.branches.choose(self.term != self._empty)

    def __contains__(self, name: Name) -> bool:
        return self.branches.choose(z3.IsMember(name.term, self.term))

    def __le__(self, other: "Names | Iterable[Name]") -> bool:
        return self.branches.choose(z3.IsSubset(self.term, self._term_of(other)))

    def __ge__(self, other: "Names | Iterable[Name]") -> bool:
        return self.branches.choose(z3.IsSubset(self._term_of(other), self.term))

    def __or__(self, other: "Names | Iterable[Name]") -> "Names":
        return Names(z3.SetUnion(self.term, self._term_of(other)), self.branches)

    def __ror__(self, other: Iterable[Name]) -> "Names":
        return self | other

    def __and__(self, other: "Names | Iterable[Name]") -> "Names":
        return Names(z3.SetIntersect(self.term, self._term_of(other)), self.branches)

    def __sub__(self, other: "Names | Iterable[Name]") -> "Names":
        return Names(z3.SetDifference(self.term, self._term_of(other)), self.branches)

    def __eq__(self, other: object) -> bool:
        # A word in the place of a set, such as that for every collection, is no set.
        return isinstance(other, Names) and self.branches.choose(self.term == other.term)

    def __hash__(self) -> int:
        return hash(self.term)

    def __iter__(self) -> Iterator[Name]:
        """Yield one member, whichever it is, where there are any: enough for `min`, and for nothing else."""
        if self:
            yield Name(member_of(self.term), self.branches)

    def isdisjoint(self, other: "Names | Iterable[Name]") -> bool:
        """Return whether no name is in both."""
        return self.branches.choose(z3.SetIntersect(self.term, self._term_of(other)) == self._empty)

    @property
    def _empty(self) -> Any:
        return z3.EmptySet(self.term.sort().domain())

    def _term_of(self, other: "Names | Iterable[Name]") -> Any:
        if isinstance(other, Names):
            return other.term
        term = self._empty
        for name in other:
            term = z3.SetAdd(term, name.term)
        return term


def member_of(names: Any) -> Any:
    """Return the member that an iteration over the set yields; of an empty set it is any name."""
    return z3.Function("member_of", names.sort(), names.sort().domain())(names)


def has_member(names: Any) -> Any:
    """Return what is known of `member_of`: it is in the set, where the set is not empty."""
    return z3.Or(names == z3.EmptySet(names.sort().domain()), z3.IsMember(member_of(names), names))


@dataclass(frozen=True, slots=True)
class Truth:
    """Symbolic truth value."""

    term: Any
    branches: Branches

    def __bool__(self) -> bool:
        return self.branches.choose(self.term)


@dataclass(frozen=True, eq=False, slots=True)
class Text:
    """Symbolic text, with the operations on tags and entries of a bound."""

    term: Any
    branches: Branches

    def startswith(self, other: "Text") -> bool:
        """Return whether the text begins with the other one."""
        return self.branches.choose(z3.PrefixOf(other.term, self.term))

    def endswith(self, other: str) -> bool:
        """Return whether the text ends with these characters."""
        return self.branches.choose(z3.SuffixOf(z3.StringVal(other), self.term))

    def __getitem__(self, part: slice) -> "Text":
        assert part == slice(None, -1, None)
        return Text(z3.SubString(self.term, 0, z3.Length(self.term) - 1), self.branches)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Text) and self.branches.choose(self.term == other.term)

    def __hash__(self) -> int:
        return hash(self.term)
