"""The backends that pass the suite of `ports.SourceObjects`."""

from collections.abc import Generator
from pathlib import Path

import pytest

from groundwire.adapters.aws.s3.source_objects import S3SourceObjects
from groundwire.adapters.local.ingest.folder_objects import FolderObjects
from tests.contract.source_objects.stores import BucketStore, FolderStore, Store
from tests.support.aws.buckets import bucket


@pytest.fixture(params=["bucket", "folder"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[Store]:
    if request.param == "folder":
        folder = tmp_path / "named"
        folder.mkdir()
        yield FolderStore(FolderObjects([folder], 1_000.0), folder)
        return
    with bucket() as made:
        yield BucketStore(S3SourceObjects(made), made)
