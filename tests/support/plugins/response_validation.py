"""Every response that any test has the server make is validated; a test fails for those made while it ran."""

from collections.abc import Generator
from typing import Any, Final

import pytest

from groundwire.entry.mcp import McpHandler
from groundwire_mcp.server import McpServer
from tests.support.plugins.response_watch import Watch

_WATCH: Final = Watch()


def pytest_configure() -> None:
    """The classes themselves, so that no test can forget it."""
    server: Any = McpServer
    handler: Any = McpHandler
    server.handle = _WATCH.serving(server.handle)
    handler.__call__ = _WATCH.handling(handler.__call__)


def _judged() -> Generator[None, object, object]:
    try:
        return (yield)
    finally:
        _WATCH.report()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup() -> Generator[None, object, object]:
    """Fixtures of wider scope ask too."""
    return (yield from _judged())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, object, object]:
    """The test itself."""
    return (yield from _judged())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown() -> Generator[None, object, object]:
    """And what it leaves behind."""
    return (yield from _judged())
