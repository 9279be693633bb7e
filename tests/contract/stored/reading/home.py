"""Content of a home, as its commands and its server report it."""

import hashlib
import json
import shutil
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from groundwire import wiring
from groundwire.domain.access.policy_source import PolicySource
from groundwire.domain.documents.record import Document
from groundwire.entry.cli.evaluate.json_report import read_earlier_ndcg
from groundwire.entry.cli.server.demo_keys import FILE, demo_keys
from groundwire_mcp.definitions.sessions import SessionOwner

from . import asking_back
from .fixture import Fixture
from .gateway import ask, context, mcp, rest
from .sidecars import at, environment, home_settings, printed
from .signing_in import signed_in

LATER_S: Final = 30
"""After the last thing was made."""
_QUESTION: Final = "weight of the pump"
_TAGS: Final = '["board"]'


def read_home(fixture: Fixture) -> dict[str, Any]:
    """Facts about the home, which is changed on the way: a document comes in last."""
    place = fixture.unpacked("home", "first")
    home, made = place / "home", fixture.made
    with at(made["moment"] + LATER_S), environment(**home_settings(home, place / "models")):
        cache = _cache_kept(home / "tenants" / made["tenants"]["acme"], made)
        facts = {
            "cache": cache,
            "keys": _keys(made),
            "demo_keys": _demo_keys(home, made),
            "search": _search(made),
            # First, as commands about documents remove what a killed run has left.
            "records": _records(made),
            "commands": _commands(made),
            "indexes": _indexes(made),
            "travelling": _travelling(made, fixture.json("travelling")),
            "sessions": _sessions(made),
            "tickets": _tickets(made),
            "evaluation": read_earlier_ndcg(fixture.folder / "outputs" / "eval.json"),
            "import": _imported(made, fixture.folder / "index-export.ndjson.gz"),
        }
        return facts | {"new_document": _new_document(place)}


def read_backup(fixture: Fixture) -> dict[str, Any]:
    """Facts about the copy of the home, served in its stead."""
    place, models = fixture.unpacked("backup", "second"), fixture.unpacked("home", "models-of-second") / "models"
    with at(fixture.made["moment"] + LATER_S), environment(**home_settings(place / "home", models)):
        return {
            "audit": printed("audit", "verify"),
            "keys": _keys(fixture.made),
            "search": _search(fixture.made),
            "documents": _without_timings(printed("documents", "list", "-t", "acme")),
        }


def _cache_kept(tenant: Path, made: Mapping[str, Any]) -> Mapping[str, object]:
    """Tell whether a search uses the cache as it is; the cache names its file by inode, which a copy changes."""
    header = tenant / "index.cache" / "header.json"
    body = json.loads(header.read_text(encoding="utf-8").split("\n")[0])
    body["facts"]["inode"] = (tenant / "index.db").stat().st_ino
    text = json.dumps(body)
    header.write_text(f"{text}\n{zlib.crc32(text.encode()):08x}\n", encoding="utf-8")
    found = printed("search", _QUESTION, "-t", "acme", "--user", "ann", "--tag", "board")
    after = json.loads(header.read_text(encoding="utf-8").split("\n")[0])
    return {"kept": after == body, "found": [each["source_file_name"] for each in found], "made": sorted(body["facts"])}


def _keys(made: Mapping[str, Any]) -> dict[str, Any]:
    texts = {name: key["text"] for name, key in made["keys"].items()}
    facts: dict[str, Any] = {name: context(text) for name, text in texts.items()}
    facts["act_as_for_ann"] = context(texts["act_as"], x_user_id="ann")
    return facts | {"oauth": signed_in(made["tenants"]["acme"])}


def _demo_keys(home: Path, made: Mapping[str, Any]) -> Mapping[str, object]:
    """Tell whether the next start of the demo keeps its keys, and how the keys are admitted."""
    before_it = (home / FILE).read_bytes()
    kept = demo_keys(wiring.local_services(), made["tenants"]["initech"])
    decisions = [context(kept.act_as, x_user_id="ann")["decision"], context(kept.personal)["user"]]
    return {"same": (home / FILE).read_bytes() == before_it, "decided": decisions}


def _search(made: Mapping[str, Any]) -> dict[str, Any]:
    key, acting = made["keys"]["personal"]["text"], made["keys"]["act_as"]["text"]
    params = {"name": "rag_search", "arguments": {"search_phrases": [_QUESTION]}}
    reported = mcp(acting, "tools/call", params, x_user_id="ann", x_session_tags=_TAGS).json["result"]
    narrowed = {"phrases": [_QUESTION], "top_n": 20, "where": "year = 2026 and final = true and tags in (pumps)"}
    return {
        "mcp": [_passage(each) for each in reported["structuredContent"]["segments"]],
        "rest": [_passage(each) for each in rest("POST", "/v1/search", key, narrowed)["passages"]],
        "stranger": [each["source_file_name"] for each in _found_by(acting)],
        "globex": [each["text"] for each in printed("search", "cat", "-t", "globex", "--user", "ann")],
    }


def _found_by(acting: str) -> list[dict[str, Any]]:
    """Search as a user without tags."""
    params = {"name": "rag_search", "arguments": {"search_phrases": [_QUESTION, "the list", "der Preis"]}}
    reported = mcp(acting, "tools/call", params, x_user_id="bob", x_session_tags="[]").json["result"]
    return list(reported["structuredContent"]["segments"])


def _passage(reported: Mapping[str, Any]) -> dict[str, Any]:
    """But for the link, which is sealed anew each time."""
    return {name: value for name, value in reported.items() if name != "source_url"}


def _commands(made: Mapping[str, Any]) -> dict[str, Any]:
    document = made["documents"]["pumps.md"]
    return {
        "tenants": printed("tenant", "list"),
        "users": printed("user", "list", "-t", "acme"),
        "collections": printed("collection", "list", "-t", "acme"),
        "keys": printed("key", "list", "-t", "acme"),
        "documents": _without_timings(printed("documents", "list", "-t", "acme")),
        "passages": printed("documents", "show", document, "-t", "acme", "--segments")["passages"],
        "duplicates": printed("documents", "duplicates", "-t", "acme"),
        "models": printed("model", "list"),
        "audit": printed("audit", "verify")["problem"],
        "doctor": {each["check"]: each["ok"] for each in printed("doctor")},
    }


def _without_timings(rows: Any) -> Any:
    return [{name: value for name, value in row.items() if name != "timings"} for row in rows]


def _records(made: Mapping[str, Any]) -> dict[str, Any]:
    """Read the records, tombstones included, with the fields that no command shows."""
    found = wiring.local_services().stores.documents.read(
        made["tenants"]["acme"], [*made["states"], *made["documents"].values()]
    )
    return {doc_id: record_facts(document) for doc_id, document in sorted(found.items())}


def record_facts(document: Document) -> dict[str, Any]:
    """Return the fields of a record that no command shows."""
    return {
        "state": document.state.value,
        "version": document.version,
        "policy_version": document.policy_version,
        "policy": sorted(document.policy.users | document.policy.any_tags | document.policy.all_tags),
        "public": document.policy.public,
        "reason": document.reason,
        "parent": document.parent,
        "source_path": document.source_path,
        "index_stale": document.sync.is_stale,
        "policy_from_files": document.policy_source is PolicySource.FILE,
        "policy_given_at": document.policy_overridden_at,
        "begun_version": document.ingestion.started_version,
        "last_rows_at": document.sync.rows_written_at,
        "deleted_from": document.deletion.source_digest,
        "deleted_at": document.deletion.deleted_at,
        "created_at": document.created_at,
        "metadata": {name: str(value) for name, value in sorted(document.metadata.items())},
        "recipe": document.recipe,
        "steps": sorted(document.timings),
        "sketch": document.sketch.hex(),
    }


def _indexes(made: Mapping[str, Any]) -> dict[str, Any]:
    services = wiring.local_services()
    acme, globex = (services.stores.indexes.for_tenant(made["tenants"][name]) for name in ("acme", "globex"))
    started = services.stores.indexes.building_generation(made["tenants"]["globex"])
    vectors = acme.vectors(made["documents"]["pumps.md"])
    return {
        "acme": [acme.count_rows(), acme.model.name, sorted(each.doc_id for each in acme.count_rows_by_version())],
        "globex": [globex.count_rows(), globex.model.name, None if started is None else started.model.name],
        "vectors": {uid: [_digest(each.passage), *map(_digest, each.windows)] for uid, each in vectors.items()},
    }


def _travelling(made: Mapping[str, Any], travelling: Mapping[str, Any]) -> dict[str, Any]:
    keys = made["keys"]
    opened = {name: ask("GET", link.removeprefix("https://rag.example")) for name, link in travelling["links"].items()}
    listed = rest("GET", "/v1/documents", keys["admin"]["text"], limit=2, after=travelling["rest_cursor"])
    page = mcp(keys["lister"]["text"], "resources/list", {"cursor": travelling["mcp_cursor"]}, x_user_id="ann")
    state = travelling["request_state"]
    requested = context(keys["act_as"]["text"], x_user_id="ann", x_session_tags=_TAGS)
    answered = asking_back.call(wiring.local_services(), requested, state)
    form = travelling["upload_form"]
    terms = wiring.local_services().stores.upload_forms.verify_fields(form["ticket"], form["fields"])
    return {
        "links": {name: [reply.status, _digest(reply.body)] for name, reply in opened.items()},
        "rest_cursor": [each["doc_id"] for each in listed["documents"]],
        "mcp_cursor": [each["uri"] for each in page.json["result"]["resources"]],
        "request_state": answered["structuredContent"],
        "upload_form": None
        if terms is None
        else [terms.tenant, terms.ticket, terms.path, terms.size, terms.expires_at],
    }


def _sessions(made: Mapping[str, Any]) -> dict[str, Any]:
    keys, ids, facts = made["keys"], made["sessions"], dict[str, Any]()
    for name, user in (("personal", None), ("act_as", "bob")):
        reported = {} if user is None else {"x_user_id": user}
        reply = mcp(keys[name]["text"], "tools/list", {}, mcp_session_id=ids[name], **reported)
        owner = SessionOwner(made["tenants"]["acme"], keys[name]["kid"], user or "ann")
        session = wiring.local_services().stores.sessions.get(owner, ids[name], wiring.local_services().clock())
        tools = [tool["name"] for tool in reply.json["result"]["tools"]]
        facts[name] = [tools, session and [session.protocol_version, session.client_name, session.log_level]]
    return facts


def _tickets(made: Mapping[str, Any]) -> dict[str, Any]:
    key, services = made["keys"]["admin"]["text"], wiring.local_services()
    reported = {name: rest("GET", f"/v1/uploads/{each['ticket']}", key) for name, each in made["tickets"].items()}
    waiting = [(tenant, ticket) for tenant, ticket, _ in services.stores.uploaded_files.list_pending()]
    read = [_digest(services.stores.uploaded_files.read(*each)) for each in waiting]
    return {"told": reported, "waiting": waiting, "read": read}


def _imported(made: Mapping[str, Any], copy: Path) -> dict[str, Any]:
    """The index comes back from its copy after it was lost."""
    before_it = _search(made)["mcp"]
    wiring.local_services().stores.indexes.drop(made["tenants"]["acme"])
    lost, counts = _search(made)["mcp"], printed("index", "import", str(copy), "-t", "acme")
    return {"lost": lost, "counts": counts, "same": _search(made)["mcp"] == before_it}


def _new_document(place: Path) -> dict[str, Any]:
    """A file comes in, beside those that are there."""
    text = "# Pumps\n\nThe blue pump has a weight of 50 kilograms by now.\n"
    (place / "pumps.md").write_text(text, encoding="utf-8")
    given = (str(place / "pumps.md"), "-t", "acme", "-c", "handbook", "--id", "new", "--public")
    [came] = printed("ingest", *given)
    found = printed("search", _QUESTION, "-t", "acme", "--user", "ann", "--tag", "board")
    shutil.rmtree(place / "home")
    return {"status": came["status"], "found": "50 kilograms" in " ".join(each["text"] for each in found)}


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]
