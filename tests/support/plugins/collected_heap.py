"""The heap of the collected tests: no search for garbage goes through it.

Each process collects more than 20,000 tests. Without this, every full search for garbage visits all of their objects.
"""

import gc
from collections.abc import Generator

import pytest


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Search for no garbage while tests are collected, nor ever among what they consist of."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()
