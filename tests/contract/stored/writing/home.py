"""A home as a release leaves it: tenants, keys and documents of every kind and state, mostly by its own commands."""

from dataclasses import dataclass, replace
from email.message import EmailMessage
from pathlib import Path
from typing import Any, Final

from groundwire import wiring
from groundwire.domain.access.decision import earlier_decision
from groundwire.domain.access.policy_source import PolicySource, SourcedPolicy
from groundwire.domain.documents.changes.lifecycle import marked_stale, queued, reconciled, started
from groundwire.domain.documents.changes.tombstones import deleted, tombstone
from groundwire.domain.documents.record import SourceFile
from groundwire.entry.cli.server.demo_keys import demo_keys
from tests.contract.stored.reading.sidecars import MOMENT, Clock, command, environment, home_settings, printed
from tests.support.documents.pdf import pdf
from tests.support.models.repositories import Repo, cross_encoder, encoder

DAY_S: Final = 86_400
MANY: Final = 52
"""More documents than a page of resources holds."""

_PUMPS: Final = """---
title: Pumps
station: north
---
# Pumps

The blue pump has a weight of 40 kilograms. It stands in the station of the north, beside the query of the list. The
mouse looks after it on Mondays, and the dog on every other day of the week. Nobody opens it while it runs. When it is
too hot it stops by itself, and whoever comes by writes into the list at what hour it did so. The seal is changed every
spring, together with the seals of the other pumps, by two people at least. Water that stands in the pit is taken away
before the lid is lifted, since the motor of the pump may not become wet. What is found in the pit goes to the dog.

# Price list

The price of the pump stands in the list of the dog. The cat has another list, in which the price of the valve stands.
"""
_VALVES: Final = """# Valves

The valve of the cat closes by hand, a quarter turn to the right. The valve of the dog closes by itself when the pump
is too hot. Both are looked after by the mouse, who has the list of all valves and of their prices in the station.
"""
_ON_PAPER: Final = "The station of the north has a manual for the dog."
_FILES: Final = {
    "pumps.md": _PUMPS,
    "valves.md": _VALVES,
    "copy-of-pumps.md": _PUMPS.replace("blue", "red"),
    "board/salaries.md": "# Salaries\n\nThe list of the mouse is for the board.\n",
    "board/.policy.yaml": "any_tags: [board]\n",
    ".policy.yaml": "public: true\n",
    ".meta.yaml": "year: 2026\nreviewed: 2026-05-31\nfinal: true\ntags: [pumps, stations]\ndepartment: sales\n",
}


@dataclass
class Home:
    """A home that is being filled.

    Attributes:
        made: names of what was made, for whoever reads the home.
        outputs: what each command printed with `--json`.
    """

    folder: Path
    models: Path
    files: Path
    clock: Clock
    made: dict[str, Any]
    outputs: dict[str, Any]

    def say(self, name: str, *arguments: str) -> Any:
        """Keep what the command prints as JSON under a name."""
        self.clock.move()
        self.outputs[name] = printed(*arguments)
        return self.outputs[name]

    def do(self, *arguments: str) -> None:
        """The command must succeed."""
        self.clock.move()
        code, out = command(*arguments)
        assert code == 0, (arguments, out)


def write_home(scratch: Path, clock: Clock) -> Home:
    """A home in a new folder."""
    home = Home(scratch / "home", scratch / "models", scratch / "files", clock, {"tenants": {}, "keys": {}}, {})
    _install_models(home, scratch)
    with environment(**home_settings(home.folder, home.models)):
        _make_tenants(home)
        _make_keys(home)
        _ingest(home)
        _change(home)
        _begin_generations(home)
        _fill_list(home)
    return home


def _install_models(home: Home, scratch: Path) -> None:
    with environment(HOME=str(home.folder), MODELS=str(home.models)):
        first = Repo().write(scratch / "repositories" / "first")
        second = Repo(model=encoder(seed=6)).write(scratch / "repositories" / "second")
        home.say("model-add", "model", "add", "maker/first", "--from", str(first), "--revision", "v1")
        options = ("--revision", "v1", "--precision", "f32", "--dimension", "6")
        judge = Repo(model=cross_encoder(1))
        stated = ("--from", str(judge.write(scratch / "repositories" / "judge")), "--precision", "f32")
        home.say("model-add-reranker", "model", "add", "maker/judge", *stated, "--reranker")
        home.made["second_model"] = printed("model", "add", "maker/second", "--from", str(second), *options)["name"]


def _make_tenants(home: Home) -> None:
    for name in ("acme", "globex", "initech", "umbrella"):
        home.made["tenants"][name] = home.say("tenant-create", "tenant", "create", name)["tenant"]
    home.do("user", "set", "ann", "-t", "acme", "--tag", "department:sales", "--tag", "größe")
    home.do("collection", "set", "handbook", "-t", "acme", "--bm25-weight", "0.25")
    home.do("collection", "set", "letters", "-t", "acme", "--language", "de")


def _make_keys(home: Home) -> None:
    create = ("key", "create", "-t", "acme")
    now, home.clock.now = home.clock.now, home.clock.now - 10 * DAY_S
    _keep(home, "expired", *create, "--user", "ann", "--scope", "search", "--days", "1")
    home.clock.now = now
    reader = (*create, "--user", "ann", "--scope", "search", "--scope", "verify", "--never-expires")
    _keep(home, "personal", *reader, "--tag", "department:sales", "--tag", "board", "--collection", "handbook")
    _keep(home, "admin", *create, "--user", "olga", "--scope", "admin", "--never-expires", "--name", "owner")
    acting = (*create, "--act-as", "--scope", "search", "--scope", "verify", "--never-expires")
    _keep(home, "act_as", *acting, "--max-tag", "department:*", "--max-tag", "board", "--top-n", "5", "--expand", "200")
    _keep(home, "revoked", *acting)
    home.do("key", "revoke", home.made["keys"]["revoked"]["kid"], "-t", "acme")
    _keep(home, "before_rotation", *acting, "--max-tag", "*")
    rotated = ("key", "rotate", home.made["keys"]["before_rotation"]["kid"], "-t", "acme", "--overlap-hours", "100")
    _keep(home, "rotated", *rotated)
    tokens = (*create, "--oauth", "--scope", "search", "--max-tag", "department:*", "--never-expires")
    home.made["oauth_kid"] = home.say("key-create-oauth", *tokens)["kid"]
    _keep(home, "lister", "key", "create", "-t", "initech", "--act-as", "--scope", "search", "--never-expires")
    services = wiring.local_services()
    demo_keys(services, home.made["tenants"]["initech"])
    services.stores.tenants.mark_deleting(home.made["tenants"]["umbrella"])


def _keep(home: Home, name: str, *arguments: str) -> None:
    """The key's text is shown this once."""
    output = "key-rotate" if arguments[1] == "rotate" else "key-create"
    key = home.say(output, *arguments)
    home.made["keys"][name] = {"kid": key["kid"], "text": key["key"]}


def _ingest(home: Home) -> None:
    (home.files / "board").mkdir(parents=True)
    for name, text in _FILES.items():
        (home.files / name).write_text(text, encoding="utf-8")
    (home.files / "broken.pdf").write_bytes(b"%PDF-1.7\nnothing\n")
    (home.files / "mail.eml").write_bytes(_mail())
    (home.files / "manual.pdf").write_bytes(pdf([[(24, "Manual"), (12, _ON_PAPER)], [(12, _ON_PAPER)]]))
    home.say("ingest", "ingest", str(home.files), "-t", "acme", "-c", "handbook", "--meta", "source=intranet")
    letter = home.files.parent / "letter.txt"
    letter.write_text("Der Preis der Pumpe steht im Brief.\n", encoding="utf-8")
    url = ("--url", "https://intranet.example/letter", "--user", "ann", "--any-tag", "board", "--all-tag", "staff")
    home.do("ingest", str(letter), "-t", "acme", "-c", "letters", "--id", "letter", *url)
    listed = printed("documents", "list", "-t", "acme")
    home.made["documents"] = {row["file"]: row["doc_id"] for row in listed}


def _mail() -> bytes:
    mail = EmailMessage()
    mail["Subject"] = "The cat and the pump"
    mail["From"] = "Ann <ann@acme.example>"
    mail["Date"] = "Fri, 31 May 2024 12:00:00 +0200"
    mail.set_content("The mouse asks for the weight of the pump.\n")
    attached = b"# Query\n\nThe dog answers the query of the mouse.\n"
    mail.add_attachment(attached, maintype="text", subtype="markdown", filename="query.md")
    return mail.as_bytes()


def _change(home: Home) -> None:
    """Write a second version, a manual policy, an earlier version that answers for a refused file, and a deletion."""
    documents = home.made["documents"]
    (home.files / "valves.md").write_text(_VALVES.replace("right", "left"), encoding="utf-8")
    home.do("ingest", str(home.files / "valves.md"), "-t", "acme", "-c", "handbook")
    home.do("documents", "set-policy", documents["copy-of-pumps.md"], "-t", "acme", "--any-tag", "department:sales")
    deleted_ids = home.files / "gone.md"
    deleted_ids.write_text("# Gone\n\nThe dog of the list.\n", encoding="utf-8")
    home.do("ingest", str(deleted_ids), "-t", "acme", "-c", "handbook", "--id", "gone")
    home.do("documents", "delete", "gone", "-t", "acme", "--yes")
    # Its first version answers on.
    (home.files / "unread.md").write_text("# Unread\n\nThe passage of the cat.\n", encoding="utf-8")
    again = ("ingest", str(home.files / "unread.md"), "-t", "acme", "-c", "handbook", "--id", "unread")
    home.do(*again)
    (home.files / "unread.md").write_bytes(b"")
    home.say("ingest-refused", *again)


def leave_states(home: Home) -> None:
    """Leave what a killed run leaves: documents that wait, that are being read, and that are being deleted.

    The next command about documents, or the next run, removes those that wait or are being read.
    """
    services, tenant = wiring.local_services(), home.made["tenants"]["acme"]
    now = home.clock.now
    letter = services.stores.documents.read(tenant, ["letter"])["letter"]
    policy = SourcedPolicy(letter.policy, PolicySource.FILE, MOMENT, None)
    waiting = SourceFile("letters", "/srv/letters/next.txt", "next.txt", "txt", None, None, policy)
    services.stores.documents.write(tenant, queued("queued", waiting, now), None)
    option = replace(policy, source=PolicySource.OPTION, overridden_at=0.0)
    read = replace(waiting, path="/srv/letters/read.txt", policy=option)
    services.stores.documents.write(tenant, started(queued("parsing", read, now), read, now), None)
    going = marked_stale(deleted(replace(letter, doc_id="deleting"), earlier_decision(now), "", is_own=False))
    services.stores.documents.write(tenant, going, None)
    swept = reconciled(tombstone(replace(letter, doc_id="swept")))
    services.stores.documents.write(tenant, swept, None)
    home.made["states"] = ["queued", "parsing", "deleting", "unread", "swept", "gone", "letter"]


def _begin_generations(home: Home) -> None:
    """Move one tenant to another model, and half of it back."""
    (home.files.parent / "globex.md").write_text("# List\n\nThe cat of the list.\n", encoding="utf-8")
    home.do("ingest", str(home.files.parent / "globex.md"), "-t", "globex", "--public")
    home.say("reindex", "reindex", "globex", "--model", home.made["second_model"])
    services = wiring.local_services()
    services.stores.indexes.start_generation(home.made["tenants"]["globex"], services.models.model)


def _fill_list(home: Home) -> None:
    services, tenant = wiring.local_services(), home.made["tenants"]["initech"]
    [some] = [
        each
        for each in services.stores.documents.all(home.made["tenants"]["acme"], "handbook")
        if each.source_file_name == "pumps.md"
    ]
    home.do("collection", "set", "shelf", "-t", "initech")
    for number in range(MANY):
        name = f"d-{number:02}"
        path = f"/srv/shelf/{name}.md"
        record = replace(some, doc_id=name, collection="shelf", source_path=path, source_file_name=f"{name}.md")
        services.stores.documents.write(tenant, record, None)
