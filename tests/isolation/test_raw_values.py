"""A stored number whose cell shows fewer digits is found by all its digits, and is in no answer of any dialect."""

from groundwire_readers.contents.parsed import ParsedDocument
from groundwire_readers.dispatch import read_document
from tests.support.documents.plain_text_parser import PlainText
from tests.support.isolation.dialect_calls import DIALECT_CALLS, Wanted
from tests.support.isolation.policies import for_users
from tests.support.worlds.exchange import exchange
from tests.support.worlds.world import World, caller

_VALUE = "48173.269418"
_TABLE = f"<p>The ledger of the year.</p><table><tr><td>Site<td>Stock<tr><td>Kiel<td sdval='{_VALUE}'>48,173.3</table>"


def _wanted(world: World, tenant: str) -> Wanted:
    world.ingest(tenant, _TABLE, for_users("ana"), path="/nowhere/1.html", doc_id="d-1")
    world.ingest(tenant, "The ledger of d-2.", for_users("ana"), path="/nowhere/2.txt", doc_id="d-2")
    [found, *_] = world.search(caller(world.acting_key(tenant), "ana"), _VALUE).segments
    assert found["segment_uid"].startswith("d-1.")
    return Wanted("default", "d-1", found["segment_uid"], "d-2")


class _Pages(PlainText):
    """Parser of web pages in this process."""

    def parse(
        self, content: bytes, file_type: str, *, with_images: bool = False, with_thumbnails: bool = False
    ) -> ParsedDocument:
        """The blocks of the page; of other files, as the parser of plain text."""
        if file_type != "html":
            return super().parse(content, file_type, with_images=with_images, with_thumbnails=with_thumbnails)
        return ParsedDocument("text/html", None, tuple(read_document(content, file_type).blocks), None, 0)


def test_no_dialect_answers_with_a_raw_value(world: World) -> None:
    exchange(world.services, parser=_Pages())
    tenant = world.tenant("amber")
    wanted = _wanted(world, tenant)
    toolsets = {call.toolset for call in DIALECT_CALLS}
    keys = {toolset: world.acting_key(tenant, toolset=toolset or "default") for toolset in toolsets}
    for call in DIALECT_CALLS:
        method, path, body = call.send(wanted)
        answer = world.request(method, path, {**call.headers, **caller(keys[call.toolset], "ana")}, body)
        assert b"269418" not in answer.bytes, call.name
