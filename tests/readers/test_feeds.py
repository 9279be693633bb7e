"""Feeds in RSS and Atom: their title, and each entry as a section of its own."""

import pytest

from groundwire_readers.contents.parsed import BlockKind, ParsedDocument, ReadingDefect
from groundwire_readers.dispatch import read_document

_RSS = """<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"
xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel>
<title>Harbour &amp; quay</title><link>https://harbour.example</link><description>News of the harbour.</description>
<image><title>Logo</title><url>https://harbour.example/logo.png</url></image>
<item><title>New crane</title><dc:creator>Ida Meyer</dc:creator><pubDate>Sat, 05 Jun 2021 10:00:00 GMT</pubDate>
<category>cranes</category><category>cargo</category><guid>77</guid>
<description>&lt;p&gt;It lifts 40 t.&lt;/p&gt;</description>
<content:encoded><![CDATA[<h2>Loads</h2><p>It lifts 40 t. &amp; more.</p><p style="display:none">SECRET</p>]]>
</content:encoded></item>
<item><title>Old crane</title><description>It is gone.</description></item></channel></rss>"""
_RSS_1 = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">
<channel><title>Harbour</title></channel><item><title>New crane</title><description>It lifts.</description></item>
</rdf:RDF>"""
_ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>Harbour</title><updated>2021-06-05T10:00:00Z</updated>
<entry><title type="html">New &lt;b&gt;crane&lt;/b&gt;</title><author><name>Ida Meyer</name><uri>https://x.example</uri></author>
<category term="cranes"/><summary>It lifts x &lt; y tons.</summary>
<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>It <a href="https://x.example">lifts</a>.</p>
<p style="display:none">SECRET</p></div></content></entry>
<entry><title>Old crane</title><content type="image/png">QUJD</content><summary>It is gone.</summary></entry></feed>"""


def read(feed: str) -> ParsedDocument:
    return read_document(feed.encode(), "xml")


@pytest.mark.parametrize(("feed", "title"), [(_RSS, "Harbour & quay"), (_RSS_1, "Harbour"), (_ATOM, "Harbour")])
def test_the_title_of_a_feed_is_its_own_and_entries_are_sections(feed: str, title: str) -> None:
    found = read(feed)
    headings = [(block.level, block.text) for block in found.blocks if block.kind is BlockKind.HEADING]
    assert found.title == title
    assert headings[:2] == [(1, title), (2, "New crane")]
    assert headings[2:] in ([(4, "Loads"), (2, "Old crane")], [(2, "Old crane")], [])


def test_an_entry_has_its_facts_and_its_whole_text_once() -> None:
    assert [block.text for block in read(_RSS).blocks] == [
        *("Harbour & quay", "News of the harbour."),
        *("New crane", "Author: Ida Meyer", "Published: Sat, 05 Jun 2021 10:00:00 GMT", "Category: cranes, cargo"),
        *("Loads", "It lifts 40 t. & more."),
        *("Old crane", "It is gone."),
    ]


def test_texts_of_an_entry_are_read_by_their_type() -> None:
    assert [block.text for block in read(_ATOM).blocks] == [
        *("Harbour", "Updated: 2021-06-05T10:00:00Z"),
        *("New crane", "Author: Ida Meyer", "Category: cranes", "It lifts (x.example).", "It lifts x < y tons."),
        *("Old crane", "It is gone."),
    ]


@pytest.mark.parametrize("feed", [_RSS, _ATOM])
def test_hidden_text_of_an_entry_is_left_out_and_counted(feed: str) -> None:
    assert read(feed).defects == {ReadingDefect.HIDDEN_TEXT: 1}


def test_entries_are_groups_of_their_own() -> None:
    assert [block.group for block in read(_RSS).blocks] == [None, None, *[0] * 6, 1, 1]


def test_other_documents_with_such_names_are_no_feeds() -> None:
    assert [block.text for block in read("<feed><kg>3</kg><kind>hay</kind></feed>").blocks] == ["kg: 3", "kind: hay"]
