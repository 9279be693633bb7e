"""Descriptions of AWS services are found as botocore finds them, without a look into each folder."""

import json
import os
from pathlib import Path

import pytest
from botocore.loaders import Loader

from groundwire.adapters.aws import clients
from groundwire.adapters.aws.clients import ServiceDescriptions


def test_the_services_are_those_that_botocore_finds() -> None:
    found = set(Loader().list_available_services("service-2"))

    assert "dynamodb" in found
    assert found <= set(ServiceDescriptions().list_available_services("service-2"))


def test_the_services_are_listed_without_a_look_into_their_folders(tmp_path: Path) -> None:
    (tmp_path / "unreadable").mkdir(mode=0)
    loader = ServiceDescriptions(extra_search_paths=[str(tmp_path), str(tmp_path / "missing")])

    assert "unreadable" in loader.list_available_services("service-2")


@pytest.mark.usefixtures("fresh_session")
def test_a_client_has_the_description_of_the_folder_that_the_environment_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [path] = Loader().search_paths[-1:]
    version = Loader().determine_latest_version("dynamodb", "service-2")
    described = Loader().load_service_model("dynamodb", "service-2")
    described["operations"]["DescribeNothing"] = {**described["operations"]["ListTables"], "name": "DescribeNothing"}
    folder = tmp_path / "dynamodb" / version
    folder.mkdir(parents=True)
    (folder / "service-2.json").write_text(json.dumps(described), encoding="utf-8")
    monkeypatch.setenv("AWS_DATA_PATH", os.pathsep.join((str(tmp_path), path)))

    assert hasattr(clients.dynamodb(), "describe_nothing")


@pytest.fixture
def fresh_session(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    monkeypatch.setattr(clients, "_session", clients._session.__wrapped__)  # pyright: ignore[reportPrivateUsage]
