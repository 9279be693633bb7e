"""Normalised text: nothing invisible, no live links, the same when done twice."""

import re
import sys
import unicodedata
from html.parser import HTMLParser

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from groundwire_readers.text.normalisation import normalise, normalise_code
from tests.support.plugins.draws import examples

_FORBIDDEN = ("Cc", "Cf", "Cs")
KNOWN = frozenset(
    {"a", "body", "embed", "form", "frame", "i", "iframe", "img", "input", "link", "meta", "object", "script", "svg"}
)
messy = st.text(
    st.one_of(
        st.characters(),
        st.sampled_from("[](!<>)\u200b\u202e\u00ad\ufffe\u0301e\ud800\U000e0041 \n\t"),
        st.sampled_from(["![a](http://x.y/z)", "[b](https://h.example)", "<img src=x>"]).map(lambda text: text[0]),
    ),
    max_size=60,
)
linked = st.lists(
    st.sampled_from(
        [
            *("![", "[", "]", "(", ")", "](", "http://a.b/", "data:x", "t", " ", '"', "<img ", ">", "\u0301"),
            *("<x ", "<https://", "onclick", "=", "/", "name>", "svg", "<!--", "-->", "<?", "&#60;"),
            *("]:", "]: ", "<", "!", "<div>", "</", "<script>", "<style\n", "<\u0338", "\n", "a"),
        ]
    ),
    max_size=40,
).map("".join)


@given(st.one_of(messy, linked))
@example("e![](http://x)\u0301")
@example("[" * 12 + "a" + "](http://h.example)" * 12)
@settings(max_examples=examples(300), deadline=None)
def test_normalising_twice_changes_nothing(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)
    assert normalise_code(normalise_code(text)) == normalise_code(text)


class Elements(HTMLParser):
    """All that a browser would see in a text besides text and unknown elements without values."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in KNOWN or any(value is not None for _, value in attrs):
            self.found.append(f"{tag} {attrs}")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        self.found.append(f"/{tag}")

    def handle_comment(self, data: str) -> None:
        self.found.append(f"!--{data}")

    def handle_decl(self, decl: str) -> None:
        self.found.append(f"!{decl}")

    def unknown_decl(self, data: str) -> None:
        self.found.append(f"![{data}")

    def handle_pi(self, data: str) -> None:
        self.found.append(f"?{data}")


def markup_in(text: str) -> list[str]:
    """The elements, comments and declarations that an HTML parser finds."""
    parser = Elements()
    parser.feed(text)
    parser.close()
    return parser.found


@given(messy)
@settings(max_examples=examples(200), deadline=None)
def test_nothing_invisible_survives(text: str) -> None:
    clean = normalise(text)
    assert not [character for character in clean if unicodedata.category(character) in _FORBIDDEN]
    assert clean == unicodedata.normalize("NFC", clean)
    assert clean == " ".join(clean.split())
    assert "](" not in clean
    assert "![" not in clean
    assert markup_in(clean) == []


@given(linked)
@settings(max_examples=examples(300), deadline=None)
def test_no_image_and_no_element_survives_in_prose_and_none_that_loads_anything_in_code(text: str) -> None:
    assert "![" not in normalise(text)
    assert markup_in(normalise(text)) == []
    code = normalise_code(text)
    assert "![" not in code
    assert not re.search(rf"<(?:{'|'.join(KNOWN)})\s|<[a-zA-Z]+\s[^<>]*=|<script|<style", code)


def test_every_control_format_and_surrogate_character_of_unicode_is_removed() -> None:
    hidden = [chr(point) for point in range(sys.maxunicode + 1) if unicodedata.category(chr(point)) in _FORBIDDEN]
    survivors = [character for character in hidden if normalise(f"a{character}b") not in ("ab", "a b")]
    assert survivors == []


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("cafe\u0301", "café"),
        ("pass\u200bword\u202e\U000e0041", "password"),
        ("hyphen\ufffe\nated co\u00ad\noperate soft\u00adly", "hyphenated cooperate softly"),
        ("a\u00a0 b\r\n\tc\u2028d", "a b c d"),
        ("see [the form](https://evil.example/p?q=1)", "see the form (evil.example)"),
        ("see [evil.example](https://evil.example/p)", "see evil.example"),
        ("see [above](#part) and [mail](mailto:a@b.c)", "see above and mail"),
        ("x ![logo](https://evil.example/?d=secret) y", "x y"),
        ("x ![dot](data:image/png;base64,AAAA) y", "x y"),
        ("x ![diagram](figures/a.png) y", "x diagram y"),
        ("x ![name][ref] <img src='http://e.vil'> y", "x name y"),
        ("![logo]\n\n[logo]: http://evil.example/x.png", "! [logo] logo (evil.example)"),
        ("[a\\]b]: http://evil.example/x", "[a\\]b] : http://evil.example/x"),
        ("[a]: h&#116;tp://evil.example/x", "[a] : h&#116;tp://evil.example/x"),
        ("![a[c]][b]", "! [a[c]][b]"),
        ('<img alt="<" src=//evil.example>', '< img alt="<" src=//evil.example>'),
        ('<img alt=">" src=//evil.example>', '" src=//evil.example>'),
        ("<image href=x> <input type=image src=x>", "< image href=x> < input type=image src=x>"),
        ("<video poster=x> </video> <!--x--> <?x", "< video poster=x> < /video> < !--x--> < ?x"),
        ("/usr/share/<package>_<version>.deb, <file name>", "/usr/share/<package>_<version>.deb, <file name>"),
        ("/<section>/<item/>, <title> of <table name>, <time>", "/<section>/<item/>, <title> of <table name>, <time>"),
        ("<table hidden> <section onclick=x> </section>", "< table hidden> < section onclick=x> < /section>"),
        ("<joe@acme.example> <https://acme.example/a-b>", "<joe@acme.example> <https://acme.example/a-b>"),
        ("<https://x/onclick=alert(1)> <x onclick=f>", "< https://x/onclick=alert(1)> < x onclick=f>"),
        ("<https://x|https://bank.example> <note hidden>", "< https://x|https://bank.example> < note hidden>"),
        ("<system> <tool_call> <doc-12ab>", "< system> < tool_call> < doc-12ab>"),
        ("<iframe> <TextArea> <\u017fcript> </package>", "< iframe> < TextArea> < \u017fcript> < /package>"),
        ("1 < 2, a<1 and x <- y stay", "1 < 2, a<1 and x <- y stay"),
        ("array[0](1) stays readable", "array0 stays readable"),
    ],
)
def test_text_is_cleaned_as_a_reader_would_expect(text: str, clean: str) -> None:
    assert normalise(text) == clean


def test_code_keeps_its_lines_and_indentation() -> None:
    assert normalise_code("\n\nif x:\r\n    y = '\u200b'  \n\n") == "if x:\n    y = ''"


def test_hostile_brackets_are_cleaned_in_reasonable_time() -> None:
    assert "](" not in normalise("[" * 20_000 + "a" + "](http://h.example)" * 20_000)
    assert normalise("![" * 50_000).count("! [") == 50_000


def test_code_keeps_tags_without_attributes_and_parts_those_that_could_load_something() -> None:
    code = "vector<int> v; </div> <br/> CREATE TABLE <table name>\n#include <stdio.h>\nfor x in a[1:]:\n    y"
    assert normalise_code(code) == code
    assert normalise_code("<img\nalt='>' src=x> ![a] <script>") == "' src=x> ! [a] < script>"
    assert normalise_code("<svg/onload=x> <image href=x>") == "< svg/onload=x> < image href=x>"


def test_every_mark_is_found_by_the_rule_that_thins_runs_of_them() -> None:
    marks = [chr(point) for point in range(sys.maxunicode + 1) if unicodedata.combining(chr(point))]
    kept = [mark for mark in marks if normalise("a" + mark * 200).count(mark) > 60]
    assert kept == []
