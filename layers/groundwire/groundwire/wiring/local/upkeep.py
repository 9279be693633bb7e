"""Upkeep of the home of one machine: checks, copies, and what its server loads at the start."""

from pathlib import Path
from typing import TYPE_CHECKING

from groundwire.domain.errors import DomainError

if TYPE_CHECKING:
    from groundwire.adapters.local.backup.home_copy import BackupSummary
    from groundwire.adapters.local.backup.marks import Retention
    from groundwire.adapters.local.index.compaction import CompactionResult
    from groundwire.wiring.local.backends import LocalBackends
    from groundwire.wiring.local.ingestion import LocalIngestion
    from groundwire.wiring.use_cases.agents import AgentUseCases
    from groundwire_readers.sandbox.probe import Restriction


class Upkeep:
    """Use cases about the home itself."""

    def __init__(self, backends: "LocalBackends", agents: "AgentUseCases", ingestion: "LocalIngestion") -> None:
        self._settings, self._stores, self._models = backends.settings, backends.stores, backends.models
        self._agents = agents
        self._ingestion = ingestion

    def check_secrets(self) -> str:
        """Return the state of the secrets in one sentence.

        Raises:
            Unavailable: there are keys, but their secrets are missing.
        """
        from groundwire.adapters.local.secret_file import check_secrets

        return check_secrets(self._settings.home, self._stores.keys.any_unrevoked)

    def compact(self, tenant: str) -> "CompactionResult":
        """Free the disk space that the rows of the tenant's embedded indexes do not need.

        Raises:
            Unavailable: a file does not answer.
        """
        from groundwire.adapters.local.index.compaction import CompactionResult
        from groundwire.ports.indexes import IndexKind

        parts = [self._stores.embedded_indexes(kind).compact(tenant) for kind in IndexKind]
        return CompactionResult(sum(part.bytes_before for part in parts), sum(part.bytes_after for part in parts))

    def back_up(self, to: Path) -> "BackupSummary":
        """Copy this home to the new home `to`.

        Raises:
            InvalidInput: `to` is not a usable target.
            Unavailable: a file cannot be read or written.
        """
        from groundwire.adapters.local.backup.home_copy import back_up

        return back_up(self._settings.home, to)

    def remove_older_backups(self, newest: Path, keep: int) -> "Retention":
        """Remove the oldest backups beside the newest one, so that so many are left; see `marks.remove_older`."""
        from groundwire.adapters.local.backup.marks import remove_older

        return remove_older(newest.absolute(), keep, self._settings.home.absolute())

    def parser_confinement(self) -> "list[Restriction]":
        """Return each restriction of the parser's sandbox, as this machine's kernel enforces or refuses it."""
        from groundwire.adapters.parse import confinement_report

        return confinement_report()

    def text_recognition(self) -> str:
        """Return whether OCR of scanned pages is on, in one sentence.

        Raises:
            Unavailable: data is missing; the message tells how to get it.
        """
        from groundwire.adapters.parse import find_ocr_settings

        ocr_settings = find_ocr_settings(self._settings.ocr, self._settings.tessdata)
        if ocr_settings is None:
            return "off: scanned pages are counted but not read; GROUNDWIRE_OCR=eng switches it on"
        return f"ready: {', '.join(ocr_settings.languages)} from {ocr_settings.tessdata_folder}"

    def warm(self) -> list[str]:
        """Load what the first search needs, and return the errors of unusable indexes.

        An error in one tenant's index does not affect the other tenants.
        """
        self._check_configured_parts()
        # The first call of a model is the slowest one.
        self._models.embedder.embed(["warm"], "query")
        problems = (self._index_problem(tenant.tenant) for tenant in self._stores.tenants.all())
        return [problem for problem in problems if problem is not None]

    def _check_configured_parts(self) -> None:
        """Check the configured dialects, reranker, enricher and OCR at the start instead of at the first call."""
        self._agents.dialects  # noqa: B018
        self._models.reranker  # noqa: B018
        self._ingestion.enricher  # noqa: B018
        self.text_recognition()

    def _index_problem(self, tenant: str) -> str | None:
        try:
            self._stores.indexes.for_tenant(tenant).count_rows()
        except DomainError as error:
            return str(error)
        return None
