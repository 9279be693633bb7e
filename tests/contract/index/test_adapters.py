"""The suite runs on every engine, and every engine can be woken."""

from groundwire.ports import WakeableIndexes
from groundwire.settings.index_service import INDEX_SERVICES
from tests.contract.index.adapters import ADAPTERS, EVERY_SERVICE
from tests.support.documents.index_documents import TENANT
from tests.support.opensearch.emulator import GENERATIONS


def test_every_engine_that_settings_can_select_is_in_the_suite() -> None:
    served = {GENERATIONS[name].service if name in GENERATIONS else name for name in ADAPTERS}
    assert served == {"embedded", *INDEX_SERVICES}, "add its line to ADAPTERS"


@EVERY_SERVICE
def test_waking_the_engine_makes_no_index(indexes: WakeableIndexes) -> None:
    indexes.wake()
    assert indexes.drop(TENANT) == 0
