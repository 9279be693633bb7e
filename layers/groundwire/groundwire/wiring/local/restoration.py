"""Restoration of a backup in the place of a home: copy, repetition of later decisions, exchange."""

import tempfile
from collections import Counter
from collections.abc import Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from groundwire.wiring.local.services import LocalServices, open_home

if TYPE_CHECKING:
    from groundwire.services.ingest.deletions.replay import ReplayResult
    from groundwire.services.ingest.deletions.restoration import RegistryStores, RepeatedDecisions
    from groundwire.settings.environment import Settings


@dataclass(frozen=True, slots=True)
class HomeSummary:
    """Content of a home or a backup."""

    tenants: int
    documents: int


@dataclass(frozen=True, slots=True)
class PreparedHome:
    """Copy of a backup in which later decisions are repeated, ready to replace the home.

    Attributes:
        made_at: epoch seconds; None for a backup without a mark.
        replaced: content of the home; None if there is none, so that no later decision is known.
        deletions: deletions that were repeated. decisions: other decisions, by tenant.
        ended_tenants: tenants that were deleted since the backup, and are not restored.
        changes: further changes since the backup, by name, which the restored home does not have.
        returned_tenants: tenants that the replaced home did not have, although no line of its log states a deletion.
        is_log_continued: the audit log has the lines since the backup, too.
    """

    folder: Path
    made_at: float | None
    content: HomeSummary
    replaced: HomeSummary | None = None
    deletions: "ReplayResult | None" = None
    decisions: "list[RepeatedDecisions]" = field(default_factory=list["RepeatedDecisions"])
    ended_tenants: list[str] = field(default_factory=list[str])
    changes: Counter[str] = field(default_factory=Counter[str])
    returned_tenants: list[str] = field(default_factory=list[str])
    is_log_continued: bool = False


class HomeRestoration:
    """Use case of a restoration for the home of the settings."""

    def __init__(self, settings: "Settings") -> None:
        self._settings = settings
        self._home = settings.home.absolute()

    @contextmanager
    def prepare(self, backup: Path) -> Generator[PreparedHome]:
        """Yield the prepared copy, which is removed at the end of the block unless it was put in place.

        Raises:
            InvalidInput: the folder is no backup.
            Conflict: a process uses the home.
            Unavailable: a file of the backup is damaged, or there is no room for the copy.
        """
        from groundwire.adapters.local.backup import restoration
        from groundwire.adapters.local.backup.home_copy import REGISTRY_FILE, back_up
        from groundwire.adapters.local.backup.marks import MARK_FILE, read_mark
        from groundwire.adapters.local.filesystem import atomic_files

        restoration.check_backup(backup, self._home)
        is_replaced = (self._home / REGISTRY_FILE).is_file()
        if is_replaced:
            restoration.refuse_if_open(self._home)
        mark = read_mark(backup.absolute())
        atomic_files.ensure_private_folder(self._home.parent)
        # Beside the home, so that the exchange is a renaming.
        prefix = f"{atomic_files.PARTIAL_PREFIX}restore-"
        with tempfile.TemporaryDirectory(prefix=prefix, dir=self._home.parent) as scratch:
            folder = Path(scratch) / "home"
            back_up(backup, folder)
            # A home with the mark would count as a backup, which `backup --keep` may remove.
            (folder / MARK_FILE).unlink()
            is_continued = is_replaced and restoration.continue_log(self._home, folder)
            with closing(open_home(replace(self._settings, home=folder))) as restored:
                prepared = PreparedHome(
                    folder, mark and mark.made_at, _summary(restored), is_log_continued=is_continued
                )
                if is_replaced:
                    with closing(open_home(self._settings)) as present:
                        prepared = self._repeat(backup, prepared, present, restored)
            yield prepared

    def put(self, prepared: PreparedHome, now: float) -> Path | None:
        """Put the copy in place of the home; return the folder of the replaced one.

        Raises:
            Conflict: a process uses the home.
        """
        from groundwire.adapters.local.backup import restoration

        if prepared.replaced is not None:
            # A server may have started while the person read the plan.
            restoration.refuse_if_open(self._home)
        return restoration.exchange(prepared.folder, self._home, now)

    def _repeat(
        self, backup: Path, prepared: PreparedHome, present: LocalServices, restored: LocalServices
    ) -> PreparedHome:
        from groundwire.adapters.local.backup.restoration import later_lines
        from groundwire.domain.audit.deletions import LaterDeletions
        from groundwire.domain.audit.later_changes import later_changes
        from groundwire.services.ingest.deletions.replay import DeletionReplay
        from groundwire.services.ingest.deletions.restoration import DecisionReplay

        later, ended = LaterDeletions(), set[str]()

        def seen() -> "Generator[dict[str, object]]":
            for record in later_lines(self._home, backup):
                later.add(record)
                if record.get("action") == "tenant.delete":
                    ended.add(str(record.get("tenant")))
                yield dict(record)

        changes = later_changes(seen())
        admin = restored.administration
        # First, since a decision about a document of a deleted tenant has nothing to hold for.
        ended_tenants = [each.tenant for each in restored.stores.tenants.all() if each.tenant in ended]
        for tenant in ended_tenants:
            admin.tenant_admin.delete(tenant)
        deletions = DeletionReplay(admin.document_admin, restored.stores.documents)(later)
        replay = DecisionReplay(_stores(present), _stores(restored), admin.document_admin)
        decisions = [each for each in replay() if not each.is_empty]
        known = {each.tenant for each in present.stores.tenants.all()}
        _record(restored, deletions, decisions)
        return replace(
            prepared,
            replaced=_summary(present),
            deletions=deletions,
            decisions=decisions,
            ended_tenants=ended_tenants,
            changes=changes,
            returned_tenants=[each.name for each in restored.stores.tenants.all() if each.tenant not in known],
        )


def _record(restored: LocalServices, deletions: "ReplayResult", decisions: "list[RepeatedDecisions]") -> None:
    """Write the lines of the restoration to the log of the restored home."""
    write = restored.administration.audit_operator_action
    for each in decisions:
        write(
            "restore",
            tenant=each.tenant,
            documents=each.limited,
            blocked=list(each.blocked),
            revoked=list(each.revoked),
        )
    counts = {"unknown": len(deletions.unknown), "failed": len(deletions.failed)}
    write("restore", documents=[*deletions.documents], counts=counts)


def _stores(services: LocalServices) -> "RegistryStores":
    from groundwire.services.ingest.deletions.restoration import RegistryStores

    stores = services.stores
    return RegistryStores(stores.tenants, stores.documents, stores.users, stores.keys)


def _summary(services: LocalServices) -> HomeSummary:
    from groundwire.services.ingest.deletions.restoration import documents_of

    stores = _stores(services)
    return HomeSummary(len(stores.tenants.all()), documents_of(stores))
