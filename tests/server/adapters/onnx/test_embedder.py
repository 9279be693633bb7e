import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

import numpy as np
import pytest

from groundwire.adapters.onnx.inference.embedder import OnnxEmbedder
from groundwire.adapters.onnx.models.manifest import MANIFEST_FILE
from groundwire.ports import Embedder, ModelId, Vector

ROOT: Final = Path(__file__).parents[4]


def _cosine(one: Vector, other: Vector) -> float:
    return float(np.frombuffer(one, "<f4") @ np.frombuffer(other, "<f4"))


def test_the_embedder_names_the_model_it_loaded(embedder: OnnxEmbedder) -> None:
    port: Embedder = embedder
    assert port.model == ModelId("all-MiniLM-L6-v2-int8", 384)


def test_no_text_is_no_vector(embedder: OnnxEmbedder) -> None:
    assert embedder.embed([], "query") == []


@pytest.mark.parametrize("text", ["", " \n\t", "?!…", "😀👩‍👩‍👧", '"AND NOT *', "\x00\x07", "x" * 20_000, "\ud800"])
def test_any_text_has_a_finite_unit_vector(embedder: OnnxEmbedder, text: str) -> None:
    (vector,) = embedder.embed([text], "query")
    assert len(vector) == 4 * 384
    assert _cosine(vector, vector) == pytest.approx(1, abs=1e-5)


def test_texts_of_one_meaning_are_nearer_than_others(embedder: OnnxEmbedder) -> None:
    question, answer, other = embedder.embed(
        ["How long is the notice period?", "Employees may resign with four weeks' notice.", "The pump weighs 12 kg."],
        "query",
    )
    assert _cosine(question, answer) > _cosine(question, other) + 0.3


def test_vectors_come_in_the_order_of_their_texts(embedder: OnnxEmbedder) -> None:
    topics = ["whales", "tax law", "piano", "volcano", "bicycle", "bread", "chess"]
    texts = [f"{topic} " * (1 + 13 * place % 29) for place, topic in enumerate(topics * 6)]
    combined = embedder.embed(texts, "passage")
    alone = [embedder.embed([text], "passage")[0] for text in texts]
    # Quantisation over a batch moves a vector a little; another text's is far away.
    assert min(map(_cosine, combined, alone)) > 0.98


def test_threads_may_share_an_embedder(embedder: OnnxEmbedder) -> None:
    phrases = [[f"phrase {number} of {word}" for number in range(3)] for word in ("law", "tea", "ice", "sun")]
    expected = [embedder.embed(batch, "query") for batch in phrases]
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(embedder.embed, phrases * 5, ["query"] * 20))
    assert results == expected * 5


def test_a_model_that_expects_prefixes_gets_them(tiny_model: Path) -> None:
    plain = OnnxEmbedder.load(tiny_model, 1)
    manifest = json.loads((tiny_model / MANIFEST_FILE).read_bytes())
    (tiny_model / MANIFEST_FILE).write_text(json.dumps({**manifest, "query_prefix": "the ", "passage_prefix": "dog "}))
    prefixed = OnnxEmbedder.load(tiny_model, 1)
    assert prefixed.embed(["cat"], "query") == plain.embed(["the cat"], "query")
    assert prefixed.embed(["cat"], "passage") == plain.embed(["dog cat"], "passage")


def test_importing_the_embedder_loads_no_runtime() -> None:
    script = (
        "import sys, groundwire.adapters.onnx.inference.embedder\n"
        "print(sorted({'onnx', 'onnxruntime'} & sys.modules.keys()))"
    )
    imported = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert imported.stdout.strip() == "[]"


def test_a_run_of_a_model_leaves_no_identifier_or_event_of_its_runtime_on_the_machine(
    tiny_model: Path, tmp_path: Path
) -> None:
    # Without the switch, ONNX Runtime writes both into the cache of the user at its import, and sends the events later.
    script = (
        "import sys; from pathlib import Path; from groundwire.adapters.onnx.inference.embedder import OnnxEmbedder\n"
        "from groundwire_model_builder.graph.quantisation import write_quantised\n"
        "OnnxEmbedder.load(Path(sys.argv[1]), 1).embed(['the cat'], 'query')\n"
        "import onnx; write_quantised(onnx.load(Path(sys.argv[1]) / 'model.onnx'), Path(sys.argv[2]) / 'written.onnx')"
    )
    home, written = tmp_path / "home", tmp_path / "written"
    home.mkdir()
    written.mkdir()
    allowed = {"HOME": str(home), "ORT_DISABLE_TELEMETRY": "0"}
    subprocess.run([sys.executable, "-c", script, tiny_model, written], env=allowed, check=True)
    assert (written / "written.onnx").is_file()
    assert list(home.rglob("*")) == []


def test_each_import_of_the_runtime_comes_after_the_switch() -> None:
    modules = [file for name in ("layers", "tools") for file in (ROOT / name).rglob("*.py")]
    texts = [file.read_text(encoding="utf-8") for file in modules]
    importing = [text for text in texts if re.search(r"^\s+(import|from) onnxruntime", text, re.MULTILINE)]
    assert len(importing) == 2
    assert all("forbid_telemetry()" in text.partition(" onnxruntime")[0] for text in importing)
