"""XML: articles of journals by their meaning, tables of any vocabulary as rows, prose under its titles."""

import base64

import pytest

from groundwire_readers import WorkerParser
from groundwire_readers.contents.parsed import Block, BlockKind, ParsedDocument, ReadingDefect
from groundwire_readers.dispatch import read_document
from groundwire_readers.errors import UnreadableDocument
from tests.readers.blocks import texts

_ARTICLE = """<?xml version="1.0"?>
<!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96) Journal Publishing DTD v1.2//EN" "JATS.dtd">
<article xmlns:mml="http://www.w3.org/1998/Math/MathML"><front>
<journal-meta><journal-id journal-id-type="nlm-ta">TST</journal-id>
<journal-title-group><journal-title>Tides</journal-title></journal-title-group></journal-meta>
<article-meta><article-id pub-id-type="doi">10.1/tide</article-id>
<article-id pub-id-type="publisher-id">778</article-id>
<title-group><article-title>Levels of the <italic>Elbe</italic></article-title></title-group>
<contrib-group><contrib contrib-type="author"><name><surname>Meyer</surname><given-names>Ida</given-names></name>
<contrib-id contrib-id-type="orcid">https://orcid.example/1</contrib-id><xref ref-type="aff" rid="a1">1</xref>
</contrib>
<contrib contrib-type="author"><name><surname>Voss</surname><given-names>Jan</given-names></name></contrib>
<aff id="a1"><label>1</label><institution>Harbour Institute</institution><country>Germany</country></aff>
</contrib-group>
<pub-date><day>5</day><month>6</month><year>2021</year></pub-date>
<history><date date-type="received"><day>24</day><month>2</month><year>2021</year></date></history>
<abstract><p>We measured.</p></abstract><kwd-group><kwd>tide</kwd><kwd>gauge</kwd></kwd-group></article-meta></front>
<body><sec><label>1</label><title>Results</title><p>The gauge<xref ref-type="bibr" rid="b1"><sup>1</sup>
</xref> rose by
<inline-formula><tex-math>\\documentclass{minimal}\\begin{document}$h^2$\\end{document}</tex-math>
</inline-formula> (<xref
ref-type="table" rid="t1">Table 1</xref>).</p>
<sec><title>Stations</title><p>First:<list list-type="order"><list-item><p>north</p></list-item>
<list-item><p>south</p></list-item></list></p>
<table-wrap id="t1"><label>Table 1</label><caption><title>Levels by year.</title></caption><table>
<thead><tr><th>Station</th><th colspan="2">Level (m)</th></tr><tr><th/><th>2019</th><th>2020</th></tr></thead>
<tbody><tr><td>Cuxhaven</td><td>1.4</td><td>1.5</td></tr><tr><td>Hamburg</td><td>2.1</td><td>2.4</td></tr></tbody>
</table><table-wrap-foot><fn><p>Above datum.</p></fn></table-wrap-foot></table-wrap>
<fig><label>Figure 1</label><caption><title>The gauge.</title><p>Seen from the east.</p></caption></fig></sec></sec>
</body>
<back><ack><p>Thanks to all.</p></ack><ref-list><ref id="b1"><element-citation><person-group><name>
<surname>Roe</surname>
<given-names>A</given-names></name></person-group><year>2001</year><article-title>On gauges</article-title>
<source>Water</source><volume>7</volume><fpage>1</fpage><lpage>9</lpage><pub-id pub-id-type="doi">10.1/w</pub-id>
</element-citation></ref></ref-list></back></article>"""


def read(parser: WorkerParser, text: str) -> ParsedDocument:
    return parser.parse(text.encode(), "xml")


def headings(document: ParsedDocument) -> list[tuple[int, str]]:
    return [(block.level, block.text) for block in document.blocks if block.kind is BlockKind.HEADING]


def tables(document: ParsedDocument) -> list[Block]:
    return [block for block in document.blocks if block.kind is BlockKind.TABLE]


def test_an_article_has_its_title_its_authors_and_its_day(parser: WorkerParser) -> None:
    article = read(parser, _ARTICLE)
    assert article.title == "Levels of the Elbe"
    found = texts(article)
    assert found[1:4] == ["Authors: Ida Meyer, Jan Voss", "Affiliations: Harbour Institute, Germany", "Journal: Tides"]
    assert {"DOI: 10.1/tide", "Published: 2021-06-05", "Received: 2021-02-24", "Keywords: tide, gauge"} <= {*found}
    assert not any("778" in text or "TST" in text or "orcid" in text for text in found)
    assert article.front_matter["author"] == ["Ida Meyer", "Jan Voss"]
    assert str(article.front_matter["date"]) == "2021-06-05"


def test_the_sections_of_an_article_are_headings_by_their_nesting(parser: WorkerParser) -> None:
    assert headings(read(parser, _ARTICLE)) == [
        (1, "Levels of the Elbe"),
        (2, "Abstract"),
        (2, "1 Results"),
        (3, "Stations"),
        (2, "Acknowledgments"),
        (2, "References"),
    ]


def test_what_is_within_a_sentence_of_an_article_stays_there(parser: WorkerParser) -> None:
    found = texts(read(parser, _ARTICLE))
    assert "The gauge^1 rose by $h^2$ (Table 1)." in found
    assert found[found.index("First:") + 1 :][:2] == ["1. north", "2. south"]
    assert "Figure 1. The gauge. Seen from the east." in found


def test_a_table_of_an_article_has_its_rows_its_header_and_its_caption(parser: WorkerParser) -> None:
    (table,) = tables(read(parser, _ARTICLE))
    assert table.rows == (
        ("Station", "Level (m)", ""),
        ("", "2019", "2020"),
        ("Cuxhaven", "1.4", "1.5"),
        ("Hamburg", "2.1", "2.4"),
    )
    assert (table.header_rows, table.caption) == (2, "Table 1. Levels by year.")


def test_references_are_a_list(parser: WorkerParser) -> None:
    last = read(parser, _ARTICLE).blocks[-1]
    assert last.kind is BlockKind.LIST_ITEM
    assert last.text == "Roe A. On gauges. Water 7:1\u20139 (2001). DOI: 10.1/w"


def test_what_each_author_contributed_has_the_authors_name(parser: WorkerParser) -> None:
    names = "<name><surname>Meyer</surname><given-names>Ida</given-names></name><xref ref-type='fn' rid='c1'/>"
    meta = f"<article-meta><contrib-group><contrib>{names}</contrib></contrib-group></article-meta>"
    back = "<back><fn-group><title>Work</title><fn fn-type='con' id='c1'><p>Measured.</p></fn></fn-group></back>"
    assert texts(read(parser, f"<article><front>{meta}</front>{back}</article>"))[-1] == "Ida Meyer: Measured."


def test_a_picture_of_a_formula_gives_way_to_its_markup(parser: WorkerParser) -> None:
    maths = "<mml:math><mml:mfrac><mml:mi>a</mml:mi><mml:mi>b</mml:mi></mml:mfrac><mml:mo>=</mml:mo><mml:mn>2</mml:mn>"
    body = (
        f"<p>So <inline-formula><alternatives><graphic/>{maths}</mml:math></alternatives></inline-formula> holds.</p>"
    )
    article = f'<article xmlns:mml="http://www.w3.org/1998/Math/MathML"><body>{body}</body></article>'
    assert texts(read(parser, article)) == ["So a/b = 2 holds."]


_LABEL = "cell role='label'"
_PORTS = (("Port", "Depth"), ("Kiel", "9"), ("Emden", "7"))


def rows_of(row: str, *cells: str) -> list[str]:
    """Return the ports' rows in these elements; the first of `cells` is that of the header."""
    return [
        f"<{row}>{''.join(f'<{cell}>{text}</{cell.split()[0]}>' for text in texts)}</{row}>"
        for texts, cell in zip(_PORTS, (cells[0], cells[-1], cells[-1]), strict=True)
    ]


def in_head(rows: list[str]) -> str:
    return f"<thead>{rows[0]}</thead><tbody>{''.join(rows[1:])}</tbody>"


@pytest.mark.parametrize(
    "table",
    [
        f"<table>{''.join(rows_of('tr', 'th', 'td'))}</table>",
        f"<informaltable><tgroup cols='2'>{in_head(rows_of('row', 'entry'))}</tgroup></informaltable>",
        f"<table>{''.join(rows_of('row', _LABEL, 'cell'))}</table>",
    ],
)
def test_tables_of_any_vocabulary_are_rows(parser: WorkerParser, table: str) -> None:
    (found,) = tables(read(parser, f"<doc><section><title>Ports</title>{table}</section></doc>"))
    assert found.rows == _PORTS
    assert found.header_rows == 1


def test_a_cell_over_several_columns_or_rows_is_given_once(parser: WorkerParser) -> None:
    columns = "".join(f"<colspec colname='c{number}'/>" for number in range(3))
    body = "<row><entry morerows='1'>Kiel</entry><entry namest='c1' nameend='c2'>both</entry></row>"
    body += "<row><entry>9</entry><entry>8</entry></row>"
    head = "<thead><row><entry>Port</entry><entry>Old</entry><entry>New</entry></row></thead>"
    (found,) = tables(read(parser, f"<d><table><tgroup>{columns}{head}<tbody>{body}</tbody></tgroup></table></d>"))
    assert found.rows == (("Port", "Old", "New"), ("Kiel", "both", ""), ("", "9", "8"))


@pytest.mark.parametrize("prose", ["", "<note>Prices <b>without</b> tax.</note>"])
def test_elements_that_repeat_are_the_rows_of_a_table(parser: WorkerParser, prose: str) -> None:
    items = [("Tea", "3"), ("Rice", "2"), ("Salt", "1")]
    rows = "".join(f"<item><name>{name}</name><price currency='EUR'>{price}</price></item>" for name, price in items)
    (found,) = tables(read(parser, f"<shop>{prose}<list>{rows}</list></shop>"))
    assert found.rows == (("name", "price", "price currency"), *((name, price, "EUR") for name, price in items))


def test_titles_of_prose_are_headings_by_their_nesting(parser: WorkerParser) -> None:
    lists = "<itemizedlist><listitem><para>a</para></listitem></itemizedlist>"
    lists += "<orderedlist><listitem><para>b</para></listitem></orderedlist>"
    deep = f"<para>See <link>this</link>.</para>{lists}<programlisting>x\n  y</programlisting>"
    chapter = (
        f"<title>Start <emphasis>here</emphasis></title><para>One.</para><section><title>Deep</title>{deep}</section>"
    )
    book = f"<book><info><title>Guide</title></info><chapter>{chapter}</chapter></book>"
    found = read(parser, book)
    assert found.title == "Guide"
    assert headings(found) == [(1, "Guide"), (2, "Start here"), (3, "Deep")]
    assert [(block.kind, block.text) for block in found.blocks[-4:]] == [
        (BlockKind.PARAGRAPH, "See this."),
        (BlockKind.LIST_ITEM, "a"),
        (BlockKind.LIST_ITEM, "1. b"),
        (BlockKind.CODE, "x\n  y"),
    ]


def test_a_record_within_prose_is_a_line_with_the_names_of_its_values(parser: WorkerParser) -> None:
    grant = "<grant><number><country>US</country><id>86</id></number><date>2014</date><name>Harrold</name></grant>"
    found = read(parser, f"<patent>{grant}<invention-title>Lock</invention-title><p>A <b>lock</b>.</p></patent>")
    assert found.title == "Lock"
    assert texts(found) == ["grant: country: US, id: 86, date: 2014, name: Harrold", "Lock", "A lock."]


def test_a_table_that_is_the_whole_document_is_one_table(parser: WorkerParser) -> None:
    groups = "".join(
        f"<tgroup><tbody><row><entry>{port}</entry><entry>9</entry></row></tbody></tgroup>" for port in "ab"
    )
    (found,) = tables(read(parser, f"<table>{groups}</table>"))
    assert found.rows == (("a", "9"), ("b", "9"))


def group(widths: str, *rows: str) -> str:
    columns = "".join(f"<colspec colwidth='{width}pt'/>" for width in widths.split())
    cells = ("".join(f"<entry>{cell}</entry>" for cell in row.split(",")) for row in rows)
    return f"<tgroup>{columns}<tbody>{''.join(f'<row>{row}</row>' for row in cells)}</tbody></tgroup>"


def test_groups_of_columns_below_one_another_are_aligned_by_their_widths(parser: WorkerParser) -> None:
    markup = group("90", "TABLE 1") + group("30 60", "Port,Depth") + group("30 20 40", "Kiel,9,8", "Emden,7,6")
    (found,) = tables(read(parser, f"<doc><table>{markup}</table></doc>"))
    assert found.rows == (("TABLE 1", "", ""), ("Port", "Depth", ""), ("Kiel", "9", "8"), ("Emden", "7", "6"))
    assert found.header_rows == 2


def nested(start: str, end: str, times: int, inside: str = "x") -> str:
    return start * times + inside + end * times


@pytest.mark.parametrize(
    "text",
    [
        nested("<article><body>", "</body></article>", 1, nested("<sec><title>t</title>", "</sec>", 150, "<p>x</p>")),
        nested("<article><body>", "</body></article>", 1, nested("<fig><caption><p>", "</p></caption></fig>", 60)),
        nested("<table><tr>", "</tr></table>", 1, "<td colspan='999' rowspan='999'>x</td>" * 20_000),
        nested("<table>", "</table>", 1, f"<tr>{'<td>x</td>' * 20_000}</tr>{'<tr><td>y</td></tr>' * 20_000}"),
        nested("<listitem><para>a</para>", "</listitem>", 190),
        nested("<d>", "</d>", 1, nested("<p>a<b>", "</b></p>", 90) + "<r><a>1</a><b>2</b></r>" * 20_000),
    ],
)
def test_documents_of_any_form_are_read_within_the_limits_of_the_worker(parser: WorkerParser, text: str) -> None:
    assert read(parser, text).blocks


def test_binary_data_is_no_text_of_xml(parser: WorkerParser) -> None:
    lines = base64.encodebytes(bytes(range(256)) * 4).decode()
    written = f"<d><p>Before</p><pic name='a.png' raw='{lines.replace(chr(10), '')}'>{lines}</pic><p>After</p></d>"
    assert texts(read(parser, written)) == ["Before", "After"]
    records = f"<d><file><name>a</name><raw>{lines}</raw></file><file><name>b</name><raw>c</raw></file></d>"
    assert "".join(texts(read(parser, records))).count("raw") == 1


def test_a_sequence_of_letters_without_blanks_is_text_of_xml(parser: WorkerParser) -> None:
    assert texts(read(parser, f"<d><p>{'ACGT' * 100}</p></d>")) == ["ACGT" * 100]


def test_a_text_entity_of_the_document_is_read_as_its_text() -> None:
    declared = '<!ENTITY pump "Pump KL-7"><!ENTITY o "&#246;"><!ENTITY firm "Hart &amp; Co"><!ENTITY all "100&#37;">'
    content = f"<!DOCTYPE m [{declared}]><m><p>The &pump; of &firm; h&o;rt &all;.</p></m>"
    shown = "The Pump KL-7 of Hart & Co hört 100%."
    assert any(shown in block.text for block in read_document(content.encode(), "xml").blocks)


@pytest.mark.parametrize(
    "declared", ['q "&p;&p;"', 'p SYSTEM "file:///etc/passwd"', '% p "x"', 'p "&#60;b>x"', f'p "{"x" * 2_000}"']
)
def test_an_entity_that_is_no_short_text_is_refused(declared: str) -> None:
    content = f'<!DOCTYPE m [<!ENTITY p2 "x"><!ENTITY {declared}>]><m><p>one</p></m>'
    with pytest.raises(UnreadableDocument, match="entity"):
        read_document(content.encode(), "xml")


def test_an_entity_that_grows_the_text_without_measure_is_refused() -> None:
    content = f'<!DOCTYPE m [<!ENTITY p "{"x" * 1_000}">]><m>{"&p;" * 100_000}</m>'
    with pytest.raises(UnreadableDocument):
        read_document(content.encode(), "xml")


def test_an_entity_of_html_is_its_character_and_an_unknown_one_a_counted_defect() -> None:
    document = read_document(b'<!DOCTYPE m SYSTEM "m.dtd"><m><p>caf&eacute; &other; two</p></m>', "xml")
    assert "café \ufffd two" in document.blocks[0].text
    assert document.defects == {ReadingDefect.LOST_LETTERS: 1}
