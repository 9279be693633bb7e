"""Whatever one tenant's key asks, no byte of another tenant comes back, nor is written down about the call."""

from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Final

import pytest

from groundwire.dialects import DIALECTS
from groundwire.dialects.declaration.dialect import SHARED_MCP_PATH, Dialect
from groundwire.domain.access.policy import Policy
from groundwire.domain.access.scopes import Scope
from groundwire.domain.access.toolsets import DEFAULT_TOOLSET
from groundwire.entry.gateway.dispatch import RouteTable
from groundwire.entry.gateway.template import read_routes
from groundwire.settings import folders
from tests.isolation.declared import mcp_paths, tool_calls, toolsets
from tests.isolation.ground import (
    COLLECTION,
    FILE,
    LURE,
    OWN,
    PASSAGE,
    STRANGERS,
    TAG,
    USER,
    Ground,
    record_run,
    register_source,
    register_tools,
    store_evaluation,
)
from tests.support.plugins.draws import DRAWS_ALL
from tests.support.worlds.world import Answer, World, caller

_OTHER_TOOLSETS: Final = [each for each in toolsets() if each != DEFAULT_TOOLSET]


@pytest.fixture
def ground(world: World) -> Ground:
    own, stranger = world.tenant("amber"), world.tenant("birch")
    own_policy = Policy(public=False, users=frozenset({"ana"}), any_tags=frozenset({"red"}), all_tags=frozenset())
    policy = Policy(public=True, users=frozenset({USER}), any_tags=frozenset({TAG}), all_tags=frozenset())
    world.ingest(own, f"The {LURE} of {OWN}.", own_policy, path="/nowhere/own.txt", doc_id="handbook")
    world.ingest(
        stranger,
        f"The {LURE} of {PASSAGE}.",
        policy,
        path=f"/nowhere/{FILE}.txt",
        doc_id="plans",
        collection=COLLECTION,
    )
    world.services.stores.users.set(stranger, USER, frozenset({TAG}))
    stranger_key = world.acting_key(stranger)
    [segment] = world.search(caller(stranger_key, USER, frozenset({TAG})), LURE).segments
    steward, *others = (
        world.acting_key(own, max_tags=("red",), scopes=frozenset(Scope), toolset=toolset, may_search_as=True)
        for toolset in (DEFAULT_TOOLSET, *_OTHER_TOOLSETS)
    )
    register_tools(world, steward)
    source = register_source(world, stranger)
    record_run(world, stranger)
    [own_segment] = world.search(caller(steward, "ana", frozenset({"red"})), LURE).segments
    return Ground(
        world=world,
        own=own,
        stranger=stranger,
        acting=world.acting_key(own, max_tags=("red",)),
        personal=world.personal_key(own, "ana", frozenset({"red"})),
        steward=steward,
        by_toolset=dict(zip(_OTHER_TOOLSETS, others, strict=True)),
        stranger_key=stranger_key,
        own_uid=own_segment["segment_uid"],
        stranger_uid=segment["segment_uid"],
        stranger_link=segment["source_url"],
        stranger_source=source,
        stranger_evaluation=store_evaluation(world, stranger),
    )


_JSON: Final = {"content-type": "application/json", "accept": "application/json"}


_REFUSALS: Final = {HTTPStatus.BAD_REQUEST, HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}


class Turns:
    """Which callers make a request: everybody in `make test-all`.

    Else, of callers with the same rights, as of those that are refused whatever they call, one makes each request, and
    each makes the first of its group. No two of caller, body and path are without a request that has both.
    """

    def __init__(self, ground: Ground) -> None:
        self._alike = [*ground.alike(), list(ground.refused())]

    def include(self, headers: Mapping[str, str], group: int, number: int) -> bool:
        """Return whether this caller makes the request of this number in its group."""
        if DRAWS_ALL or number == 0:
            return True
        [alike] = [each for each in self._alike if headers in each]
        return alike.index(dict(headers)) == (group + number) % len(alike)


def posts(ground: Ground) -> Iterator[tuple[str, bytes, dict[str, str]]]:
    """Yield messages to every MCP path; a message that several dialects share is sent once."""
    turns, callers = Turns(ground), list(ground.headers())
    for group, path in enumerate(ground.paths()):
        for number, body in enumerate(dict.fromkeys(ground.bodies())):
            yield from ((path, body, headers) for headers in callers if turns.include(headers, group, number))


def post(ground: Ground, path: str, body: bytes, headers: Mapping[str, str]) -> Answer:
    return ground.world.request("POST", path, {**_JSON, **headers}, body)


def sweep_mcp(ground: Ground) -> list[Answer]:
    """Return the answers to every message to every MCP path, where a refused caller gets none but a refusal."""
    refused = list(ground.refused())
    answers: list[Answer] = []
    for path, body, headers in posts(ground):
        answer = post(ground, path, body, headers)
        assert headers not in refused or answer.status in _REFUSALS, (path, body, headers)
        answers.append(answer)
    return answers


def sweep_routes(ground: Ground) -> Iterator[Answer]:
    """Yield the answers to every other request."""
    world, turns = ground.world, Turns(ground)
    by_route: dict[tuple[str, str], list[bytes]] = {}
    for method, path, body in ground.rest():
        by_route.setdefault((method, path), []).append(body)
    for headers in ground.headers():
        yield from (world.request(method, path, headers, b"") for method, path in dict.fromkeys(ground.requests()))
        as_json = {"content-type": "application/json", **headers}
        for group, ((method, path), bodies) in enumerate(by_route.items()):
            for number, body in enumerate(bodies):
                if turns.include(headers, group, number):
                    yield world.request(method, path, as_json, body)


# One test: the sweep makes more than 50,000 requests and takes minutes.
def test_a_sweep_of_all_requests_finds_a_strangers_word_in_no_answer_audit_line_or_log_and_audits_each_call(
    ground: Ground, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    audit, audit_file = ground.world.services.stores.audit, ground.world.services.settings.home / "audit.jsonl"
    before, lines_before = len(audit_file.read_bytes()), audit.verify().intact_lines
    capfd.readouterr()
    caplog.clear()
    mcp_answers = sweep_mcp(ground)
    after_mcp = audit.verify()
    answers = [*mcp_answers, *sweep_routes(ground)]
    printed = capfd.readouterr()

    assert after_mcp.is_intact
    assert after_mcp.intact_lines - lines_before == len(mcp_answers)
    # Refused for its rate, a call would prove nothing.
    assert all(answer.status != HTTPStatus.TOO_MANY_REQUESTS for answer in answers)
    contents = [answer.bytes for answer in answers]
    assert any(OWN.encode() in content for content in contents)
    assert [(word, content) for content in contents for word in STRANGERS if word.encode() in content] == []

    records = [str(vars(record)) for record in caplog.records]
    written = "\n".join([audit_file.read_text()[before:], printed.out, printed.err, *records])
    secret = [
        key.secret.reveal()[-49:] for key in (ground.acting, ground.personal, ground.steward, ground.stranger_key)
    ]
    assert ground.acting.key.kid in written
    assert [word for word in (*STRANGERS, OWN, LURE, *secret) if word in written] == []


def test_the_sweep_calls_every_route_and_every_tool(ground: Ground) -> None:
    root = folders.checkout_folder()
    assert root is not None
    routes = read_routes(root / "template.yaml")
    table = RouteTable(routes)
    rest = [(method, path) for method, path, _ in ground.rest()]
    mcp = [("POST", path) for path in ground.paths()]
    matched = [table.match(method, path.partition("?")[0]) for method, path in [*mcp, *ground.requests(), *rest]]
    assert {match.route.key for match in matched if match} == {route.key for route in routes}
    bodies = list(ground.bodies())
    operations = {operation for dialect in DIALECTS for operation in dialect.scope_rows}
    assert [each for each in operations if not any(each.encode() in body for body in bodies)] == []


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda each: each.name)
def test_the_sweep_carries_out_each_tool_on_each_path_of_its_dialect(ground: Ground, dialect: Dialect) -> None:
    swept = set(ground.bodies())
    for paths in zip(*(mcp_paths(dialect, value) for value in ground.values()), strict=True):
        carried_out: set[str] = set()
        for path in dict.fromkeys(paths):
            headers = ground.permitted(dialect.toolset if path == SHARED_MCP_PATH else None)
            assert path in ground.paths()
            assert headers in list(ground.admitted())
            for tool, body in tool_calls(dialect, ground.values()):
                assert body in swept
                answer = post(ground, path, body, headers)
                assert answer.status != HTTPStatus.NOT_FOUND, path
                if "result" in answer.payload and not answer.result.get("isError", False):
                    carried_out.add(tool)
        # A path may name a collection that is not there, but not with every value.
        assert carried_out == set(dialect.tool_names), paths


def test_the_sweep_reaches_each_rest_route_of_a_dialect(ground: Ground) -> None:
    headers = {"content-type": "application/json", **ground.permitted(None)}
    swept = set(ground.rest())
    for route in (route for dialect in DIALECTS for route in dialect.rest_routes):
        calls = list(ground.dialect_rest(route))
        assert set(calls) <= swept
        statuses = {ground.world.request(method, path, headers, body).status for method, path, body in calls}
        # Of the stranger's things alone a route may say that there are none.
        assert statuses - {HTTPStatus.NOT_FOUND, HTTPStatus.FORBIDDEN}, route.key
