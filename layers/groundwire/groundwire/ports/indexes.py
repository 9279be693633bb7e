"""The indexes of all tenants, and their generations."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from groundwire.ports.index.halves import VectorIndex
    from groundwire.ports.models import ModelId


class IndexKind(StrEnum):
    """Kind of the rows of an index; an index holds rows of one kind, so no search or statistic mixes them."""

    PASSAGES = "passages"
    IMAGES = "images"


@dataclass(frozen=True, slots=True)
class IndexGeneration:
    """One index of a tenant; numbers count up from 1 and are never used twice."""

    number: int
    model: "ModelId"


@dataclass(frozen=True, slots=True)
class GenerationState:
    """The generation of a tenant's index that is live, and the one that is being built to replace it, if any.

    Attributes:
        highest_number: the highest number that any generation of the tenant ever had, abandoned or not.
    """

    live: IndexGeneration
    building: IndexGeneration | None
    # A late write to an abandoned generation must not land in a new one.
    highest_number: int


class IndexGenerations(Protocol):
    """The store of each tenant's generation state, for engines that cannot keep it themselves."""

    def read(self, tenant: str) -> GenerationState | None:
        """Return the current state; None where the tenant has no index."""
        ...

    # Compared and written in one step, because two processes may start a generation at once.
    def write(self, tenant: str, state: GenerationState, expected: GenerationState | None) -> None:
        """Store the state durably.

        Raises:
            Conflict: the stored state is not `expected` (None: there is one already).
        """
        ...

    def delete(self, tenant: str) -> None:
        """Delete the tenant's state; no error if it is missing."""
        ...


@dataclass(frozen=True, slots=True)
class IndexInspection:
    """Facts about a tenant's live index, as its engine reports them.

    Attributes:
        name: the engine's name of the index.
        model: name and dimension of the model in the index's own metadata, such as `small/384`.
        custom_ids: rows have ids that the writer chooses, so that writing a row again changes nothing.
        defect: why this version cannot use the index; None if it can.
    """

    name: str
    model: str
    custom_ids: bool
    defect: str | None


class Indexes(Protocol):
    """One index per tenant."""

    def for_tenant(self, tenant: str) -> "VectorIndex":
        """Return the tenant's index; it is created, of the default model, by the first document at the latest."""
        ...

    def exists(self, tenant: str) -> bool:
        """Return whether the tenant has an index, which is then never created by asking for it."""
        ...

    def inspect(self, tenant: str) -> IndexInspection | None:
        """Return facts about the tenant's live index, by one request to the engine; None where it has no index.

        Raises:
            Unavailable: the engine does not respond, or has lost the index.
        """
        ...

    def start_generation(self, tenant: str, model: "ModelId") -> "VectorIndex":
        """Return an index of another model beside the live one, empty or as far as it was filled before.

        Raises:
            Conflict: the next generation was started with a third model; `abandon` it first.
        """
        ...

    # Ingestion writes there, too, or the swap would lose what was added meanwhile.
    def building_generation(self, tenant: str) -> "VectorIndex | None":
        """Return the generation that is being built, which takes every change as well; None if it is missing."""
        ...

    def swap(self, tenant: str) -> None:
        """Make the next generation live in every process, and delete the previous one.

        Raises:
            NotFound: no next generation was started.
        """
        ...

    def abandon(self, tenant: str) -> None:
        """Delete the next generation, if there is one."""
        ...

    def drop(self, tenant: str) -> int:
        """Delete the tenant's index, and return the number of rows it had."""
        ...


class WakeableIndexes(Indexes, Protocol):
    """Indexes as the wiring opens them: of an engine that may sleep while nobody searches."""

    # OpenSearch Serverless sleeps after ten minutes without a request; a wake by upkeep would cost money.
    def outdated_tenants(self, *, may_wake: bool) -> Sequence[str]:
        """Return tenants whose live index has rows of an earlier form, ascending; the rest of very many comes later.

        Args:
            may_wake: the engine may be woken or kept awake for it; without it, one that may sleep is not called.

        Raises:
            Unavailable: the engine does not respond.
        """
        ...

    # A sleeping collection takes 10 to 30 s, and API Gateway waits 30 s at most.
    def wake(self) -> None:
        """Send the engine a request that it has to answer; do nothing for an engine that never sleeps.

        Raises:
            Unavailable: the engine does not respond.
        """
        ...

    def close(self) -> None:
        """Release files and connections."""
        ...
