"""The index is on an OpenSearch where the settings name one."""

from pathlib import Path

import pytest

from groundwire.adapters.opensearch import OpenSearchIndexes
from groundwire.domain import errors
from groundwire.settings import environment
from groundwire.settings.index_service import IndexService
from groundwire.wiring.local.services import open_home

ADDRESS = "https://search.example.com/"
LOGIN = {"GROUNDWIRE_INDEX_USER": "ann", "GROUNDWIRE_INDEX_PASSWORD": "hunter2"}


def service(**more: str) -> IndexService | None:
    return environment.read_settings({"GROUNDWIRE_INDEX": ADDRESS, **more}).index_service


def test_without_an_address_the_index_is_the_embedded_one() -> None:
    assert environment.read_settings({}).index_service is None
    assert (
        environment.read_settings({"GROUNDWIRE_INDEX": "", "GROUNDWIRE_INDEX_SERVICE": "opensearch"}).index_service
        is None
    )


def test_an_address_alone_is_an_ordinary_cluster() -> None:
    assert service() == IndexService(ADDRESS.rstrip("/"), "opensearch", None, None)


def test_a_collection_of_an_account_is_named() -> None:
    named = service(GROUNDWIRE_INDEX_SERVICE="serverless-nextgen", GROUNDWIRE_INDEX_COLLECTION="docs")
    assert named == IndexService(ADDRESS.rstrip("/"), "serverless-nextgen", "docs", None)


def test_a_password_is_kept_out_of_sight() -> None:
    found = service(**LOGIN)
    assert found is not None
    assert found.credentials == ("ann", "hunter2")
    assert "hunter2" not in repr(found)


@pytest.mark.parametrize(
    ("given", "reported"),
    [
        ({"GROUNDWIRE_INDEX": "http://search.example.com"}, "GROUNDWIRE_INDEX must be"),
        ({"GROUNDWIRE_INDEX": "search.example.com"}, "GROUNDWIRE_INDEX must be"),
        ({"GROUNDWIRE_INDEX_SERVICE": "elastic"}, "opensearch, serverless-classic, serverless-nextgen"),
        ({"GROUNDWIRE_INDEX_USER": "ann"}, "or none of them"),
    ],
)
def test_what_cannot_be_is_refused_with_what_could(given: dict[str, str], reported: str) -> None:
    with pytest.raises(errors.InvalidInput, match=reported):
        service(**given)


def test_one_machine_takes_the_index_that_its_settings_name(tmp_path: Path) -> None:
    home = {"GROUNDWIRE_HOME": str(tmp_path)}
    here = open_home(environment.read_settings({**home, "GROUNDWIRE_INDEX": ADDRESS, **LOGIN}))
    assert isinstance(here.stores.indexes, OpenSearchIndexes)
    here.close()
