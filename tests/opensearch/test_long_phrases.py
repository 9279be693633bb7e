"""An engine takes so many terms at once: a pasted page among many languages is searched by its first words."""

from dataclasses import replace
from pathlib import Path

from groundwire.adapters.aws.opensearch.analysis import LANGUAGES
from tests.contract.index.material import MODEL, TENANT, matching, put_segments, segment
from tests.opensearch.opening import opened


def test_a_long_phrase_is_searched_in_every_language(opensearch_url: str, tmp_path: Path) -> None:
    with opened(opensearch_url, "opensearch", tmp_path, MODEL) as there:
        index = there.indexes.of(TENANT)
        put_segments(
            index, [replace(segment("d", n, f"zebra {code}"), language=code) for n, code in enumerate(LANGUAGES)]
        )
        phrase = " ".join(["zebra", *(f"word{number}" for number in range(500))])
        assert len(matching(index, phrase)) == len(LANGUAGES)
        there.indexes.drop(TENANT)
