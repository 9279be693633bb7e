"""Policy files that an ingestion would refuse, found by the folders that documents came from."""

from pathlib import Path

from groundwire import wiring
from groundwire.domain.errors import Invalid


def refused_policy_files() -> list[str]:
    """Say for each refused policy file beside or above a document's source what is wrong with it."""
    policies = wiring.current().policy_files()
    refused: set[str] = set()
    for folder in _source_folders():
        try:
            policies.nearest(folder / "document")
        except Invalid as problem:
            refused.add(str(problem))
    return sorted(refused)


def _source_folders() -> set[Path]:
    """Find the folders that documents came from on this machine; the nearest one above, where one is gone."""
    services = wiring.current()
    paths = {
        Path(document.source_path).parent
        for tenant in services.tenants.all()
        for document in services.documents.all(tenant.tenant, None)
        if document.source_path and document.parent is None and Path(document.source_path).is_absolute()
    }
    return {_nearest_there(path) for path in paths}


def _nearest_there(folder: Path) -> Path:
    return next((each for each in (folder, *folder.parents) if each.is_dir()), folder)
