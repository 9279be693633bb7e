"""Backends of one machine: stores and models of a home folder, and what a machine does otherwise than a stack."""

import time
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, NoReturn

from groundwire.domain.errors import InvalidInput
from groundwire.domain.limits import MAX_AUDIT_LINES_INDEXED, MAX_AUDIT_STEPS, MAX_CALLS_READ
from groundwire.wiring.lazy import Lazy
from groundwire.wiring.local.models import LocalModels
from groundwire.wiring.local.stores import LocalStores

if TYPE_CHECKING:
    from groundwire.adapters.local.audit import RunMarks
    from groundwire.adapters.local.audit.machine_trail import MachineAuditTrail
    from groundwire.adapters.local.audit.trail import IndexedAuditTrail
    from groundwire.adapters.local.evaluate.evaluation_files import EvaluationFiles
    from groundwire.adapters.local.ingest.run_records import RunRecords
    from groundwire.domain.keys.forms.key_text import Environment
    from groundwire.ports import Clock
    from groundwire.services.documents.reconcile import ReconcileFunction, Reconciler
    from groundwire.settings.environment import Settings
    from groundwire.wiring.lazy import ResourceStack


class LocalBackends:
    """`wiring.backends.Backends` with what a machine alone has."""

    def __init__(
        self, settings: "Settings", clock: "Clock", stores: LocalStores, models: LocalModels, installation: "Home"
    ) -> None:
        self.settings = settings
        self.clock = clock
        self.stores = stores
        self.models = models
        self.installation = installation


class Home:
    """Implements `wiring.backends.Installation` for a home folder of this machine."""

    source_gateway = None
    warmup_factory = None
    scratch_tenants = None

    def __init__(self, settings: "Settings", stores: LocalStores) -> None:
        self._settings = settings
        self._stores = stores

    @property
    def environment(self) -> "Environment":
        """The environment's name in new keys."""
        return "local"

    @property
    def os_user(self) -> str:
        """The user of the operating system for whom this process runs; the number of one without a name."""
        import os
        import pwd

        number = os.getuid()
        try:
            return pwd.getpwuid(number).pw_name
        # A container may run under a number that no user has.
        except KeyError:
            return str(number)

    def recent_calls(self, tenant: str) -> "Iterator[Mapping[str, object]]":  # noqa: ARG002 - they are few
        """Return the last lines of the audit log, of every tenant."""
        return self._stores.audit.read(MAX_CALLS_READ)

    @Lazy
    def audit_trail(self) -> "IndexedAuditTrail":
        """Lines of the audit log by tenant."""
        from groundwire.adapters.local.audit.trail import IndexedAuditTrail

        return IndexedAuditTrail(self._settings.home, MAX_AUDIT_LINES_INDEXED, MAX_AUDIT_STEPS)

    @Lazy
    def machine_trail(self) -> "MachineAuditTrail":
        """Lines of the audit log of every tenant, for the operator."""
        from groundwire.adapters.local.audit.machine_trail import MachineAuditTrail

        return MachineAuditTrail(self._settings.home)

    @Lazy
    def evaluations(self) -> "EvaluationFiles":
        """Stored evaluations of search."""
        from groundwire.adapters.local.evaluate.evaluation_files import EvaluationFiles

        return EvaluationFiles(self._settings.home / "tenants", self._has_tenant)

    @Lazy
    def ingestion_runs(self) -> "RunRecords":
        """Runs of `groundwire ingest`."""
        from groundwire.adapters.local.ingest.run_records import RunRecords

        return RunRecords(self._settings.home / "tenants", self.run_marks.is_running, self._has_tenant)

    def _has_tenant(self, tenant: str) -> bool:
        return self._stores.tenants.get(tenant) is not None

    def planner_key(self) -> str | None:
        """Return the API key of the server's own planning model from the settings; None without one."""
        planner = self._settings.planner
        return None if planner is None or planner.service is None else planner.service.key

    def mark_run(self, run: str) -> Callable[[], None]:
        """Mark an ingestion as running on this machine; return what ends the mark."""
        return self.run_marks.mark(run)

    @Lazy
    def run_marks(self) -> "RunMarks":
        """Marks of running ingestions."""
        from groundwire.adapters.local.audit import RunMarks

        return RunMarks(self._settings.home)

    def reconcile_change(self, reconciler: "Reconciler") -> "ReconcileFunction":
        """Return the reconciliation that completes what a killed ingestion left, since no sweep runs here."""
        from groundwire.services.ingest.runs.without_sweep import ReconcilerWithoutSweep

        # Without a sweep, the change itself has to complete what a killed ingestion left.
        stores = self._stores
        return ReconcilerWithoutSweep(reconciler, stores.documents, stores.indexes, stores.ingest_lock)

    def rebuild(self, tenant: str, after: str, *, every_file: bool) -> NoReturn:  # noqa: ARG002 - for a stack
        """Refuse: there is no queue.

        Raises:
            InvalidInput: always.
        """
        raise InvalidInput("A machine has no queue of files. Run `groundwire ingest PATH` again.")

    def schedule_sweep(self, tenant: str) -> None:
        """Schedule nothing: a deletion waits for the tenant's ingestion, and nothing else writes for it."""


def local_backends(settings: "Settings", resources: "ResourceStack") -> LocalBackends:
    """Return the backends of the settings' home; `resources` closes what they open."""
    models = LocalModels(settings, resources)
    stores = LocalStores(settings, models, resources)
    return LocalBackends(settings, time.time, stores, models, Home(settings, stores))
