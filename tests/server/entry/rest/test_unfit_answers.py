"""An answer of ours that is does not match its specification."""

import pytest

from groundwire.domain.access.scopes import Scope
from groundwire.entry.rest.routes.search import search
from groundwire.services.search import Passage
from tests.server.entry.rest.api import api, key
from tests.server.entry.rest.test_documents import put
from tests.support.isolation.policies import PUBLIC
from tests.support.worlds.world import World


def other_row(passage: Passage) -> dict[str, object]:
    return {"doc_id": passage.segment.doc_id, "words": passage.text}


def test_it_is_not_given_and_no_log_quotes_it(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put(world, tenant, "d-1", PUBLIC)
    monkeypatch.setattr(search, "passage_to_json", other_row)

    answer = api(key(world, tenant, Scope.SEARCH)).post("/v1/search", phrases=["Text"])

    assert (answer.status, answer.code) == (500, "failed")
    logged = capsys.readouterr().out
    assert "does not match its specification" in logged
    assert "Text of d-1" not in logged
