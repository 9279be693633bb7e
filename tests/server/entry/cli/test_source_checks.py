"""The line of `groundwire doctor` for each MCP source."""

from pathlib import Path

import pytest

from groundwire.dialects.foundry.sources.models import NewKnowledgeSource
from groundwire.dialects.foundry.sources.specs import new_spec
from groundwire.domain.errors import NotFound
from groundwire.entry.operator.sources import operator_call
from groundwire.settings import environment
from groundwire.wiring.local.services import open_home
from tests.server.entry.cli.wiki_owner import SECRET, UNREACHABLE, Owner, Wiki, running_wiki, statuses
from tests.support.entry.command import Command


def test_doctor_has_a_line_for_each_source_and_none_without_one(owner: Owner, wiki: Wiki) -> None:
    assert owner.doctor()[1] == []
    owner("add", "wiki", f"{wiki.url}?token={SECRET}", "--public", "--tool", "search").done()
    code, [finding] = owner.doctor()
    assert (code, finding) == (
        0,
        {"check": "source", "ok": True, "detail": "wiki of acme answers; its tools are as accepted: 1"},
    )


def test_doctor_warns_of_changed_and_missing_tools_and_agents_get_the_new_list(owner: Owner, wiki: Wiki) -> None:
    owner("add", "wiki", f"{wiki.url}?token={SECRET}", "--public", "--tool", "search", "--tool", "edit").done()
    wiki.redescribe("search", "Searches everything.")
    wiki.tools.pop()
    code, [finding] = owner.doctor()
    assert (code, finding["ok"], finding["warning"]) == (0, True, True)
    assert "search (changed), edit (missing)" in finding["detail"]
    assert SECRET not in finding["detail"]
    assert statuses(owner.json("show", "wiki")) == {"search": "changed", "edit": "missing"}


def test_doctor_reports_a_server_that_does_not_answer_without_its_address(tmp_path: Path) -> None:
    with running_wiki() as wiki:
        owner = Owner(Command(tmp_path / "home", {"GROUNDWIRE_SOURCE_HOSTS": wiki.host}))
        owner.command.tenant("acme")
        owner("add", "wiki", f"{wiki.url}?token={SECRET}", "--public", "--tool", "search").done()
    code, [finding] = owner.doctor()
    assert (code, finding["ok"]) == (1, False)
    assert finding["detail"].startswith(f"wiki of acme: {UNREACHABLE}")
    assert SECRET not in finding["detail"]
    assert str(wiki.server.port) not in finding["detail"]


def test_doctor_calls_no_server_for_a_collection_of_its_own(owner: Owner) -> None:
    collection = {"server_url": "http://127.0.0.1:8080/mcp", "indexed_source_ref": "manuals"}
    body = {"kind": "indexed_sources_mcp", "auth_type": "unauthenticated", "indexed_sources_parameters": collection}
    services = open_home(environment.read_settings({"GROUNDWIRE_HOME": str(owner.command.home)}))
    tenant = services.administration.tenant_admin.find("acme").tenant
    services.administration.collection_admin.set(tenant, "manuals", None, None)
    spec = new_spec(NewKnowledgeSource.model_validate({"name": "manuals", **body}))
    services.sources.admin.create(operator_call(tenant), spec)
    services.close()
    code, [finding] = owner.doctor()
    assert (code, finding["ok"], "was not checked" in finding["detail"]) == (0, True, True)
    assert "offers: no tool" in owner("accept", "manuals").done().out


def test_a_source_that_is_deleted_while_it_is_checked_gets_no_list(owner: Owner, wiki: Wiki) -> None:
    owner("add", "wiki", wiki.url, "--public", "--tool", "search").done()
    services = open_home(environment.read_settings({"GROUNDWIRE_HOME": str(owner.command.home)}))
    call = operator_call(services.administration.tenant_admin.find("acme").tenant)
    [source] = services.sources.admin.list_all(call)
    services.sources.admin.delete(call, source.source_id)
    with pytest.raises(NotFound):
        services.sources.inspection.check(call, source)
    assert services.sources.admin.listing(call, source) == {}
    services.close()
