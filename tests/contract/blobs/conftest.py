from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from groundwire.adapters.aws.s3.blobs import S3Blobs
from groundwire.adapters.local.blobs import FileBlobs
from groundwire.ports import Blobs
from tests.support.aws.buckets import bucket


@contextmanager
def local(folder: Path) -> Generator[Blobs]:
    yield FileBlobs(folder)


@contextmanager
def moto(folder: Path) -> Generator[Blobs]:
    with bucket() as opened:
        yield S3Blobs(opened)


PLACES = {"local": local, "moto": moto}


@pytest.fixture(params=PLACES)
def blobs(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[Blobs]:
    with PLACES[str(request.param)](tmp_path / "blobs") as opened:
        yield opened
