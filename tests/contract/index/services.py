"""Tests in which the rules of a service of OpenSearch can show."""

from typing import Final

import pytest

from tests.opensearch.opening import SETTINGS

EVERY_SERVICE: Final = pytest.mark.parametrize("indexes", ["embedded", *SETTINGS], indirect=True)
"""Mark for a test that runs on the embedded index and on each service, not on one that stands for all of them.

For tests that write rows twice, change, delete or count them, or read vectors back: there the services differ, in ids,
refreshes and vectors that are not shown. What a search finds is asked of one service, whose searches may do the least.
"""
