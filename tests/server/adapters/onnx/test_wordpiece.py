import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.adapters.onnx.inference.wordpiece import WordPiece
from groundwire.adapters.onnx.models.manifest import read_model
from groundwire.domain.errors import InvalidInput
from tests.server.adapters.onnx.tiny import PIECES
from tests.support.plugins.draws import examples

_CASES = json.loads((Path(__file__).parent / "wordpiece_ids.json").read_bytes())
_TINY = WordPiece("\n".join(PIECES), 16)
_CLS, _SEP, _UNK = PIECES.index("[CLS]"), PIECES.index("[SEP]"), PIECES.index("[UNK]")


@pytest.fixture(scope="module")
def tokenizer(real_model: Path) -> WordPiece:
    return WordPiece(read_model(real_model).vocabulary, 256)


@pytest.mark.parametrize("case", _CASES, ids=lambda case: ascii(case["text"][:24]))
def test_ids_are_those_of_the_reference_tokenizer(tokenizer: WordPiece, case: dict[str, object]) -> None:
    assert tokenizer.encode(str(case["text"])) == case["ids"]


def test_a_text_longer_than_the_window_is_cut_and_closed() -> None:
    ids = _TINY.encode("cat " * 100)
    assert len(ids) == 16
    assert (ids[0], ids[-1]) == (_CLS, _SEP)


def test_a_text_cannot_forge_a_control_token() -> None:
    assert _SEP not in _TINY.encode("the [SEP] cat")[1:-1]


def test_the_longest_piece_is_taken_first() -> None:
    assert _TINY.encode("Cats") == [_CLS, PIECES.index("cat"), PIECES.index("##s"), _SEP]


def test_a_word_with_an_unknown_piece_is_unknown_as_a_whole() -> None:
    assert _TINY.encode("cat7 dog") == [_CLS, _UNK, PIECES.index("dog"), _SEP]


def test_a_vocabulary_of_another_kind_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"\[CLS\]"):
        WordPiece("<s>\n</s>\n", 16)


@given(st.text(max_size=200))
@settings(deadline=None, max_examples=examples(150))
def test_any_text_is_framed_within_the_window_and_encoded_alike_twice(text: str) -> None:
    ids = _TINY.encode(text)
    assert 2 <= len(ids) <= 16
    assert (ids[0], ids[-1]) == (_CLS, _SEP)
    assert ids == _TINY.encode(text)
