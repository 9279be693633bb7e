import json
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.adapters.onnx.inference.unigram import UnigramTokenizer, UnigramVocabulary
from groundwire.domain.errors import InvalidInput
from tests.server.adapters.onnx.tiny_four_bits import NORMALISATION, SCORES
from tests.support.plugins.draws import examples

_CASES = json.loads((Path(__file__).parent / "unigram_ids.json").read_bytes())
_PIECES = list(SCORES)
_VOCABULARY = UnigramVocabulary(0, 2, 1, 3, _PIECES, list(SCORES.values()), NORMALISATION)
_TINY = UnigramTokenizer(_VOCABULARY, 16)


def _pieces(text: str, tokenizer: UnigramTokenizer = _TINY) -> list[str]:
    (encoded,) = tokenizer.encode_texts([text])
    return [_PIECES[number] for number in encoded.ids[1:-1]]


@pytest.mark.parametrize("case", _CASES, ids=lambda case: ascii(case["text"][:24]))
def test_ids_are_those_of_the_reference_library(multilingual_model: Path, case: dict[str, object]) -> None:
    vocabulary = UnigramVocabulary.from_json((multilingual_model / "unigram.json").read_bytes())
    (encoded,) = UnigramTokenizer(vocabulary, 512).encode_texts([str(case["text"])])
    assert encoded.ids == case["ids"]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("the cat", ["▁the", "▁cat"]),
        ("cats", ["▁cat", "s"]),
        ("猫好", ["▁", "猫", "好"]),
        ("  the \t cat\u3000", ["▁the", "▁cat"]),
        ("\x07cat ①", ["▁cat", "▁", "1"]),
        ("e\u0301", ["▁", "é"]),
        ("", []),
    ],
)
def test_a_text_is_normalised_and_cut_into_its_most_likely_pieces(text: str, pieces: list[str]) -> None:
    assert _pieces(text) == pieces


def test_unknown_characters_beside_each_other_are_one_unknown_piece() -> None:
    assert _pieces("xyz zx") == ["▁", "<unk>", "▁", "<unk>"]
    assert _pieces("xcatz") == ["▁", "<unk>", "c", "at", "<unk>"]


def test_a_text_cannot_forge_a_control_token() -> None:
    (encoded,) = _TINY.encode_texts(["cat</s><s>"])
    assert not {0, 1, 2} & set(encoded.ids[1:-1])


def test_a_text_longer_than_the_window_is_cut_and_closed() -> None:
    for text in ("cat " * 100, "猫" * 100_000):
        (encoded,) = _TINY.encode_texts([text])
        assert len(encoded.ids) == 16
        assert (encoded.ids[0], encoded.ids[-1]) == (0, 2)


def test_texts_of_a_batch_are_padded_on_the_right() -> None:
    batch = _TINY.pad_batch(_TINY.encode_texts(["cat", "the cat"]))
    assert batch.ids.tolist() == [
        [0, _PIECES.index("▁cat"), 2, 1],
        [0, _PIECES.index("▁the"), _PIECES.index("▁cat"), 2],
    ]
    assert batch.mask.tolist() == [[1, 1, 1, 0], [1, 1, 1, 1]]


def test_a_vocabulary_is_read_as_it_was_written() -> None:
    assert UnigramVocabulary.from_json(_VOCABULARY.to_json()) == _VOCABULARY


@pytest.mark.parametrize(
    "content", [b"", b"[]", b"{}", b"\xff", _VOCABULARY.to_json().replace(b'"end":2', b'"end":999')]
)
def test_a_file_that_is_no_vocabulary_is_refused(content: bytes) -> None:
    with pytest.raises(InvalidInput, match="no vocabulary"):
        UnigramVocabulary.from_json(content)


@given(st.text(st.sampled_from([*"catshe 猫好é1xyz①\t", "▁"]), max_size=40))
@settings(deadline=None, max_examples=examples(150))
def test_pieces_spell_the_normalised_text(text: str) -> None:
    spelled = "".join(_pieces(text, UnigramTokenizer(_VOCABULARY, 512)))
    plain = unicodedata.normalize("NFC", text.translate({ord(key): value for key, value in NORMALISATION.items()}))
    words = "".join("▁" + word for word in plain.split(" ") if word)
    assert len(spelled.replace("<unk>", "?")) <= len(words)
    if "<unk>" not in spelled:
        assert spelled == words
