"""Output of every command with `--json`, over a filled home."""

import json
from pathlib import Path
from typing import Final

from tests.contract.stored.writing.home import Home

_WORDS: Final = ("cat", "dog", "mouse", "price", "list")
_QUESTIONS: Final = 20


def write_outputs(home: Home, export: Path, backup: Path) -> None:
    """Into `home.outputs`; the index of a tenant and the whole home are copied on the way."""
    documents = home.made["documents"]
    _read(home, documents["pumps.md"])
    home.say("index-export", "index", "export", str(export), "-t", "acme")
    home.say("index-import", "index", "import", str(export), "-t", "acme")
    _evaluate(home)
    home.say("tenant-create", "tenant", "create", "wayne")
    home.say("tenant-delete", "tenant", "delete", "wayne", "--yes")
    home.say("reindex-abandon", "reindex", "initech", "--abandon")
    home.say("compact", "compact", "--tenant", "globex")
    home.say("audit-list", "audit", "list", "--last", "5")
    home.say("audit-verify", "audit", "verify")
    home.say("backup", "backup", str(backup))


def _read(home: Home, doc_id: str) -> None:
    home.say("tenant-list", "tenant", "list")
    home.say("user-list", "user", "list", "-t", "acme")
    home.say("key-list", "key", "list", "-t", "acme")
    home.say("collection-list", "collection", "list", "-t", "acme")
    home.say("collection-show", "collection", "show", "handbook", "-t", "acme")
    home.say("documents-list", "documents", "list", "-t", "acme")
    home.say("documents-show", "documents", "show", doc_id, "-t", "acme")
    home.say("documents-show-segments", "documents", "show", doc_id, "-t", "acme", "--segments")
    home.say("documents-duplicates", "documents", "duplicates", "-t", "acme")
    requested = ("search", "weight of the pump", "-t", "acme", "--user", "ann", "--tag", "board")
    home.say("search", *requested, "--where", "year = 2026")
    home.say("search-explain", *requested, "--explain")
    home.say("model-info", "model", "info")
    home.say("model-list", "model", "list")
    home.say("doctor", "doctor")


def _evaluate(home: Home) -> None:
    """Two runs of one test set, the second compared with the first; kept beside the home, which holds no test sets."""
    folder = home.files.parent / "questions"
    folder.mkdir()
    corpus = [{"_id": word, "title": word, "text": f"The {word} of the {word}."} for word in _WORDS]
    requested = [(f"q{number:02}", _WORDS[number % len(_WORDS)]) for number in range(_QUESTIONS)]
    _lines(folder / "corpus.jsonl", corpus)
    _lines(folder / "queries.jsonl", [{"_id": name, "text": f"the {word}"} for name, word in requested])
    judged = "".join(f"{name}\t{word}\t1\n" for name, word in requested)
    (folder / "qrels.tsv").write_text(f"query-id\tcorpus-id\tscore\n{judged}", encoding="utf-8")
    cache = ("--cache", str(home.files.parent / "evals"))
    before = folder / "before.json"
    before.write_text(json.dumps(home.say("eval", "eval", str(folder), *cache)), encoding="utf-8")
    home.say("eval-fit", "eval", str(folder), *cache, "--fit", "--compare", str(before), "--bm25-weight", "0.9")


def _lines(path: Path, rows: list[dict[str, str]]) -> None:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
