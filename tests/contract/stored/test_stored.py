"""Stored things are read: a home and its copies, the stores of a deployment, messages, links and contexts.

Each test runs twice: the present code reads what the first release stored, and the release before reads what the
present code stores.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.contract.stored.conftest import FIRST
from tests.contract.stored.forms import form_of, missing
from tests.contract.stored.reading.fixture import Fixture
from tests.contract.stored.reading.gateway import rest
from tests.contract.stored.reading.home import LATER_S
from tests.contract.stored.reading.sidecars import at, environment, home_settings, printed

ADMITTED = {"personal", "admin", "act_as", "before_rotation", "rotated", "lister", "act_as_for_ann"}
REFUSED = {"expired": "expired", "revoked": "revoked"}
PASSAGE = "The blue pump has a weight of 40 kilograms."
EVERYBODYS = {"mail.eml", "manual.pdf", "pumps.md", "query.md", "unread.md", "valves.md"}
DEPLOYED = {"act_as", "personal", "before_rotation", "rotated", "counted", "counted_too", "marked"}
SENT: Mapping[str, Any] = {
    "file": {"task": "file", "tenant": "t-acme", "path": "handbook/pumps.md", "sequencer": "0066F0A1B2C3D4E5F6"},
    "beneath_policy": {"task": "beneath", "tenant": "t-acme", "folder": "handbook/", "follow": "policy", "after": ""},
    "sweep": {"task": "sweep", "tenant": "t-acme"},
    "sweep_all": {"task": "sweep", "tenant": None},
}


def names(passages: list[Any]) -> set[str]:
    return {each["source_file_name"] for each in passages}


def test_a_search_finds_what_was_ingested(facts: Any) -> None:
    found = facts["home"]["search"]
    assert any(PASSAGE in each["raw_text"] for each in found["mcp"])
    assert any("has a weight of 40 kilograms" in each["text"] for each in found["rest"])
    assert found["globex"] == ["List\n\nThe cat of the list."]


def test_a_filter_over_metadata_narrows_a_search(facts: Any) -> None:
    found = facts["home"]["search"]["rest"]
    assert {"salaries.md", "valves.md"} <= names(found)
    assert {"copy-of-pumps.md", "pumps.md"} & names(found)
    assert "letter.txt" not in names(found)


def test_a_near_duplicate_takes_no_place_of_another_passage(facts: Any) -> None:
    found = facts["home"]["search"]["rest"]
    twins = tuple(facts["made"]["documents"][name] for name in ("pumps.md", "copy-of-pumps.md"))
    assert any(each["also_in"] and each["also_in"][0].startswith(twins) for each in found)
    assert len({"copy-of-pumps.md", "pumps.md"} & names(found)) == 1


def test_a_stranger_finds_what_is_everybodys_and_nothing_else(facts: Any) -> None:
    assert {"pumps.md", "mail.eml"} <= set(facts["home"]["search"]["stranger"]) <= EVERYBODYS


def test_every_key_is_admitted_or_refused_as_it_was(facts: Any) -> None:
    for admissions in (facts["home"]["keys"], facts["backup"]["keys"]):
        decided = {name: (each["decision"], each["reason"]) for name, each in admissions.items() if name != "oauth"}
        assert {name for name, (decision, _) in decided.items() if decision == "admitted"} == ADMITTED
        assert {name: reason for name, (_, reason) in decided.items() if name not in ADMITTED} == REFUSED


def test_the_demo_continues_with_its_keys(facts: Any) -> None:
    assert facts["home"]["demo_keys"] == {"same": True, "decided": ["admitted", "you@weirhaven.example"]}


def test_people_who_sign_in_are_admitted_by_the_key_of_their_tenant(facts: Any) -> None:
    person = facts["home"]["keys"]["oauth"]
    assert (person["decision"], person["kid"]) == ("admitted", facts["made"]["oauth_kid"])
    # The key grants less than the token.
    assert (person["user"], person["scopes"]) == ("maria@acme.example", '["search"]')
    assert facts["items"]["signed_in"]["decision"] == "admitted"


def test_a_key_has_the_rights_that_it_was_made_with(facts: Any) -> None:
    keys = facts["home"]["keys"]
    personal, acting = keys["personal"], keys["act_as_for_ann"]
    assert (personal["user"], personal["collections"], personal["kind"]) == ("ann", '["handbook"]', "personal")
    assert (personal["tags"], personal["scopes"]) == ('["board","department:sales"]', '["search","verify"]')
    assert (acting["user"], acting["topN"], acting["expandTokens"]) == ("ann", "5", "200")
    # Of the tags that the tenant keeps for her, those within the key's bound.
    assert acting["tags"] == '["department:sales"]'


def test_documents_are_in_the_states_in_which_they_were_left(facts: Any) -> None:
    records = facts["home"]["records"]
    states = {doc_id: records[doc_id]["state"] for doc_id in ("queued", "parsing", "deleting", "swept", "gone")}
    assert states == {
        "queued": "queued",
        "parsing": "parsing",
        "deleting": "deleting",
        "swept": "deleted",
        "gone": "deleted",
    }
    listed = {each["file"]: each for each in facts["home"]["commands"]["documents"]}
    assert listed["broken.pdf"]["state"] == "refused"
    assert (listed["unread.md"]["state"], listed["unread.md"]["reason"]) == ("indexed", "the file is empty (0 bytes)")
    assert listed["valves.md"]["version"] == 2
    assert listed["manual.pdf"]["pages"] == 2
    assert listed["query.md"]["parent"] == listed["mail.eml"]["doc_id"]


def test_a_manual_deletion_is_recorded_with_its_time(facts: Any) -> None:
    deleted = facts["home"]["records"]["gone"]
    assert len(deleted["deleted_from"]) == 32
    assert deleted["deleted_at"] > 1_800_000_000
    assert deleted["source_path"] is None


def test_metadata_and_policies_are_those_that_were_given(facts: Any) -> None:
    listed = {each["file"]: each for each in facts["home"]["commands"]["documents"]}
    stated = listed["pumps.md"]["metadata"]
    assert (stated["year"], stated["final"], stated["tags"]) == (2026, True, ["pumps", "stations"])
    assert (stated["reviewed"], stated["station"]) == ({"date": "2026-05-31"}, "north")
    assert listed["salaries.md"]["policy"]["any_tags"] == ["board"]
    letter = {"public": False, "users": ["ann"], "any_tags": ["board"], "all_tags": ["staff"]}
    assert listed["letter.txt"]["policy"] == letter
    queued = facts["home"]["records"]["queued"]
    assert (queued["policy_from_files"], queued["policy_given_at"]) == (True, 1_800_000_000)


def test_a_manual_policy_of_the_first_release_is_a_ceiling_that_the_upgrade_lists(tmp_path: Path) -> None:
    fixture = Fixture(FIRST, tmp_path)
    place = fixture.unpacked("home", "first")
    with (
        at(fixture.made["moment"] + LATER_S),
        environment(**home_settings(place / "home", place / "models")),
    ):
        warnings = [each["detail"] for each in printed("doctor") if each["check"] == "ceilings"]
        [limited] = printed("documents", "list", "-t", "acme", "--ceilings")
        checks = rest("GET", "/v1/doctor", fixture.made["keys"]["admin"]["text"])["checks"]
    assert (limited["file"], limited["policy"]) == ("copy-of-pumps.md", limited["ceiling"]["policy"])
    assert limited["policy"]["any_tags"] == ["department:sales"]
    listing = "`groundwire documents list --tenant acme --ceilings`"
    assert warnings == [f"acme has 1 manual policy of an earlier release, which no run replaces: {listing}"]
    [check] = [each for each in checks if each["name"] == "ceilings"]
    assert check["status"] == "warning"
    assert check["message"] == "1 manual policy of an earlier release, which no run replaces."


def test_collections_and_users_are_those_that_were_made(facts: Any) -> None:
    commands = facts["home"]["commands"]
    weights = {each["name"]: (each["bm25_weight"], each["language"]) for each in commands["collections"]}
    assert weights == {"handbook": (0.25, None), "letters": (0.4, "de")}
    assert commands["users"] == [{"user": "ann", "tags": ["department:sales", "größe"]}]
    [pair] = commands["duplicates"]
    assert {pair["file"], pair["other_file"]} == {"copy-of-pumps.md", "pumps.md"}


def test_the_audit_log_is_whole(facts: Any) -> None:
    assert facts["home"]["commands"]["audit"] is None
    assert facts["backup"]["audit"]["intact"] is True
    failed = {check for check, is_ok in facts["home"]["commands"]["doctor"].items() if not is_ok}
    # The identity provider of this home does not exist; the first release did not fetch its keys.
    assert failed <= {"sign-in"}


def test_the_cache_of_an_index_is_taken_as_it_is(facts: Any) -> None:
    assert facts["home"]["cache"]["kept"] is True
    assert "pumps.md" in facts["home"]["cache"]["found"]


def test_vectors_of_passages_and_windows_are_there(facts: Any) -> None:
    kept = facts["home"]["indexes"]["vectors"]
    assert sorted(len(each) for each in kept.values()) == [1, 3]


def test_a_change_of_model_continues_where_it_was(facts: Any) -> None:
    assert facts["home"]["indexes"]["globex"] == [1, "maker/second@v1/6/f32", "maker/first@v1/8/int8"]
    kinds = {each["name"]: each["kind"] for each in facts["home"]["commands"]["models"]}
    assert set(kinds.values()) == {"embedding", "reranker"}


def test_an_index_comes_back_from_its_copy(facts: Any) -> None:
    copied = facts["home"]["import"]
    assert (copied["lost"], copied["same"]) == ([], True)
    assert copied["counts"]["written"] == 9


def test_a_backup_answers_in_place_of_the_home(facts: Any) -> None:
    assert any(PASSAGE in each["raw_text"] for each in facts["backup"]["search"]["mcp"])
    assert names(facts["backup"]["search"]["rest"]) == names(facts["home"]["search"]["rest"])
    backed_up, present = (
        {each["doc_id"] for each in rows}
        for rows in (facts["backup"]["documents"], facts["home"]["commands"]["documents"])
    )
    # The present code makes the backup before a run is killed, and its commands remove what that run has left.
    assert backed_up - {"queued", "parsing"} == present - {"queued", "parsing"}


def test_a_document_comes_into_the_home(facts: Any) -> None:
    assert facts["home"]["new_document"] == {"status": "indexed", "found": True}


def test_a_measurement_can_be_compared_with(facts: Any) -> None:
    scores = facts["home"]["evaluation"]
    assert set(scores) == {f"q{number:02}" for number in range(20)}
    assert all(0 < score <= 1 for score in scores.values())


def test_links_open_but_for_codes_which_the_release_before_does_not_know(
    facts: Any, request: pytest.FixtureRequest
) -> None:
    opened = facts["home"]["travelling"]["links"]
    knows_codes = "the release before" not in request.node.name
    statuses = {name: status for name, (status, _) in opened.items()}
    # What the first release stored has no codes.
    codes = {name: 200 if knows_codes else 404 for name in ("code", "packed_code") if name in opened}
    assert statuses == {"short": 200, "packed": 200, **codes}
    assert len({content for status, content in opened.values() if status == 200}) == 1


def test_cursors_continue_where_the_page_ended(facts: Any) -> None:
    travelling = facts["home"]["travelling"]
    ids = sorted(each["doc_id"] for each in facts["home"]["commands"]["documents"])
    assert travelling["rest_cursor"] == ids[2:4]
    assert travelling["mcp_cursor"] == [f"groundwire://documents/d-{number}" for number in range(48, 52)]


def test_a_call_that_put_a_question_to_its_client_is_continued(facts: Any) -> None:
    assert facts["home"]["travelling"]["request_state"] == {"state": b"\x00kept\xff".hex()}


def test_sessions_continue(facts: Any) -> None:
    reported = {name: (tools[0], session) for name, (tools, session) in facts["home"]["sessions"].items()}
    assert reported == {
        "personal": ("rag_search", ["2025-11-25", "reader", "error"]),
        "act_as": ("rag_search", ["2025-11-25", "reader", None]),
    }


def test_tickets_tell_what_became_of_their_files(facts: Any) -> None:
    tickets = facts["home"]["tickets"]
    reported = {name: (each["state"], each["reason"]) for name, each in tickets["told"].items()}
    assert reported == {
        "awaited": ("awaiting", None),
        "arrived": ("parsing", None),
        "done": ("indexed", None),
        "refused": ("refused", "it cannot be read"),
    }
    assert facts["home"]["travelling"]["upload_form"] is not None
    assert [ticket for _, ticket in tickets["waiting"]] == [tickets["told"]["arrived"]["ticket"]]


def test_every_key_of_a_deployment_is_admitted_or_refused_as_it_was(facts: Any) -> None:
    admissions = facts["items"]["admissions"]
    assert {name for name, each in admissions.items() if each["decision"] == "admitted"} == DEPLOYED
    assert {name: each["reason"] for name, each in admissions.items() if name not in DEPLOYED} == REFUSED


def test_a_key_of_a_deployment_has_the_rights_that_it_was_made_with(facts: Any) -> None:
    [personal] = [each for each in facts["items"]["keys"]["acme"] if each["kind"] == "personal"]
    assert (personal["user"], personal["tags"], personal["max_tags"]) == ("ann", ["board", "größe"], [])
    assert (personal["scopes"], personal["collections"]) == (["search", "verify"], ["handbook"])
    assert (personal["toolset"], personal["top_n"], personal["expand_tokens"]) == ("mindset", 5, 200)
    assert {each["kind"] for each in facts["items"]["keys"]["acme"]} == {"personal", "act_as", "oauth"}


def test_a_further_key_is_counted_with_those_that_are_there(facts: Any) -> None:
    new = facts["items"]["new_keys"]
    assert new["umbrella"] == "not_found"
    assert [new[tenant][1] for tenant in ("acme", "globex", "initech")] == ["admitted"] * 3


def test_tenants_users_and_collections_are_those_that_were_made(facts: Any) -> None:
    items = facts["items"]
    assert [each["tenant"] for each in items["tenants"]] == ["acme", "globex", "initech", "umbrella"]
    assert items["users"] == [["ann", ["department:sales", "größe"]], ["bob", []]]
    assert items["collections"] == [["handbook", 0.25, None], ["letters", 0.4, "de"]]


def test_the_record_of_a_document_in_a_deployment_is_the_same_as_in_a_home(facts: Any) -> None:
    found = facts["items"]["documents"]["records"]
    at_home = facts["home"]["records"]
    assert found.keys() - at_home.keys() == {"its-attachment"}
    assert {doc_id: found[doc_id] for doc_id in at_home} == at_home


def test_documents_are_found_by_path_by_content_and_by_what_carries_them(facts: Any) -> None:
    documents, files = facts["items"]["documents"], facts["made"]["documents"]
    assert {*files.values(), "queued", "parsing", "unread"} <= set(documents["by_path"])
    assert [files["valves.md"]] in documents["by_content"]
    assert documents["children"][files["mail.eml"]] == [files["query.md"]]
    assert documents["children"]["withdrawn"] == ["its-attachment"]
    assert files["broken.pdf"] not in documents["page"]
    assert {files["pumps.md"], files["salaries.md"], "unread"} <= set(documents["page"])
    assert {"queued", "parsing", "deleting"} <= set(documents["stale"])
    assert documents["unsettled"] == ["acme"]


def test_a_record_that_nobody_has_changed_since_can_be_replaced(facts: Any) -> None:
    assert facts["items"]["written_again"] == {"letter": "written", "queued": "written", "unread": "written"}


def test_tickets_of_a_deployment_tell_what_became_of_their_files(facts: Any) -> None:
    reported = {name: each[-3:] for name, each in facts["items"]["tickets"].items()}
    assert reported == {
        "awaited": ["awaited", None, None],
        "arrived": ["arrived", "version-1", None],
        "done": ["done", "version-1", None],
        "refused": ["refused", "version-1", "it cannot be read"],
    }


def test_sessions_of_a_deployment_continue(facts: Any) -> None:
    found = facts["items"]["sessions"]
    assert found["of_ann"][:4] == ["2025-11-25", "reader", "1.0", "error"]
    assert found["of_nobody"][:4] == ["2025-11-25", "reader", "1.0", None]


def test_the_index_that_answers_is_known_and_so_is_its_successor(facts: Any) -> None:
    first, second = [1, "maker/first@v1/8/int8"], [2, "maker/second@v1/6/f32"]
    assert facts["items"]["standings"] == {"acme": [first, None, 1], "globex": [first, second, 2], "initech": None}


def test_an_event_of_an_object_is_processed_once(facts: Any) -> None:
    assert facts["items"]["deliveries"] == {
        "done": ["stale", "taken"],
        "taken": ["stale", "busy"],
        "released": ["taken", "busy"],
        "again": ["stale", "busy"],
        "new": ["taken", "busy"],
    }


def test_an_ingestion_that_is_running_keeps_others_waiting(facts: Any) -> None:
    assert facts["items"]["leases"] == {"acme": True, "globex": False}


@pytest.mark.parametrize("name", SENT)
def test_a_message_of_the_queue_is_understood(facts: Any, name: str) -> None:
    assert SENT[name].items() <= facts["messages"]["ingestion"][name].items()


def test_what_is_left_of_a_piece_of_work_is_understood(facts: Any) -> None:
    reported = facts["messages"]["ingestion"]
    assert (reported["file_again"]["sequencer"], reported["file_again"]["tries"]) == (None, 2)
    below = reported["beneath_metadata"]
    assert (below["follow"], below["after"]) == ("metadata", "handbook/board/a.md")
    assert (below["until"], below["tries"]) == ("handbook/z", 1)


def test_events_of_the_bucket_and_of_the_schedule_are_understood(facts: Any) -> None:
    reported = facts["messages"]["ingestion"]
    assert (reported["created"]["tenant"], reported["created"]["path"]) == ("t-acme", "handbook/pumps.md")
    assert reported["deleted"]["path"] == "handbook/board/größe.md"
    assert reported["schedule"] == {"task": "sweep", "tenant": None}


def test_an_order_that_was_refused_is_reported_as_such(facts: Any) -> None:
    status, text = facts["items"]["refused"]
    assert (status, "tenant" in text) == (404, True)


def test_lines_of_the_audit_log_prove_each_other(facts: Any) -> None:
    links, records = facts["items"]["audit"]
    assert links == [True, True]
    assert [(each["action"], each["outcome"]) for each in records] == [("key.create", "done"), ("key.list", "refused")]


def test_calls_of_the_embedding_function_and_their_answers_are_understood(facts: Any) -> None:
    reported = facts["messages"]["embedding"]
    assert reported["call"] == {"texts": ["a pump", "a valve"], "kind": "passage"}
    assert (len(set(reported["vectors"])), reported["warm"]) == (2, True)


def test_vectors_of_an_attempt_that_was_cut_off_are_not_made_again(facts: Any) -> None:
    assert facts["messages"]["embedded_again"] == []


def test_the_manifest_of_a_built_model_is_read(facts: Any) -> None:
    assert facts["messages"]["built_model"][:5] == ["tiny-int8", 32, 16, "mean", "CC0-1.0"]


def test_the_contexts_of_the_authorizer_are_wholly_understood(facts: Any) -> None:
    for name, reported in facts["told_contexts"].items():
        # One of a later release may say more.
        assert facts["contexts"][name].items() <= reported.items()
        assert facts["contexts"][name].keys() >= {"decision", "reason", "headerUser", "headerTags"}


def test_rows_of_an_index_hold_whole_passages(facts: Any) -> None:
    rows = facts["rows"]
    assert rows["opensearch"] == rows["serverless-classic"] == rows["serverless-nextgen"]
    texts = [segment[6] for segment in rows["opensearch"]["segments"]]
    assert len(texts) == facts["home"]["indexes"]["acme"][0]
    assert any("weight of 40 kilograms" in text for text in texts)


NO_MORE_PRINTED = {
    # A min-max score has no meaning beyond one answer; passages have a relevance instead.
    "search": ["[].score is missing"],
    "search-explain": [".passages[].why.relevance is missing"],
}
"""What commands printed and no longer print, on purpose: the reranker's score is `rerank_score` now."""


@pytest.mark.parametrize("command", sorted(path.stem for path in (FIRST / "outputs").iterdir()))
def test_a_command_prints_as_json_what_it_printed_and_perhaps_more(written: Path, command: str) -> None:
    before, now = (
        json.loads((folder / "outputs" / f"{command}.json").read_text(encoding="utf-8")) for folder in (FIRST, written)
    )
    assert missing(form_of(before), form_of(now)) == NO_MORE_PRINTED.get(command, [])
