"""State of the process: services are built once, shared by the entries of a deployment, and dropped together."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from groundwire.domain.errors import NotFound, Unavailable
from groundwire.wiring.runtime import Runtime


@pytest.fixture
def runtime() -> Iterator[Runtime]:
    runtime = Runtime()
    yield runtime
    runtime.reset()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GROUNDWIRE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def deployed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GROUNDWIRE_HOME", raising=False)
    monkeypatch.setenv("AWS_LAMBDA_FUNCTION_NAME", "api")
    monkeypatch.setenv("GROUNDWIRE_KEYS_TABLE", "keys")


@pytest.mark.usefixtures("deployed")
def test_the_functions_of_a_process_share_budgets_caches_and_circuit_breakers(runtime: Runtime) -> None:
    services = runtime.mcp.agents.dialect_services
    assert services.reading is runtime.api.reading is runtime.api.agents.dialect_services.reading
    assert runtime.api.access is runtime.authorizer
    assert services.sources is runtime.api.sources is runtime.sources
    assert runtime.mcp.stores is runtime.api.stores is runtime.ingestion.stores


@pytest.mark.usefixtures("home")
def test_the_services_of_a_machine_are_the_same_until_a_reset_closes_them(runtime: Runtime) -> None:
    first = runtime.local()
    assert runtime.local() is first
    closed: list[str] = []
    first.resources.register(_Closing(closed))
    runtime.reset()
    assert closed == ["closed"]
    assert runtime.local() is not first


@pytest.mark.usefixtures("deployed")
def test_a_function_without_tables_and_folder_names_the_remedy(runtime: Runtime) -> None:
    with pytest.raises(Unavailable, match="deploy the stack again"):
        runtime.local()


def test_a_missing_home_is_an_error_only_while_it_is_required(runtime: Runtime, home: Path) -> None:
    runtime.require_home()
    with pytest.raises(NotFound, match="no Groundwire home"):
        runtime.local()
    runtime.allow_new_home()
    assert runtime.local().settings.home == home


class _Closing:
    """Resource that notes its end."""

    def __init__(self, closed: list[str]) -> None:
        self._closed = closed

    def close(self) -> None:
        self._closed.append("closed")
