"""Text is read in the encoding that its bytes show: by language among code pages, against a wrong declaration."""

import pytest

from groundwire_readers.contents.parsed import ReadingDefect
from groundwire_readers.dispatch import read_document
from groundwire_readers.errors import UnreadableDocument
from groundwire_readers.readers.encodings.decoding import decode_text

_GERMAN = "Prüfgröße und Maße: die Geräte müssen über Öl und Ähren geführt werden."
_CZECH = "Příští měření se provádí každý týden, účet číslo osm je zřejmě úplný."
_POLISH = "Należy wpłacić kwotę do końca miesiąca, żółta książka leży na półce."
_FRENCH = "Le cœur coûte 40 € à l'été, où les élèves étaient contents de la leçon."
_SPANISH = "El niño comió una manzana más en la mañana. ¿Cuándo vendrá el señor?"
_DANISH = "Blåbærgrød er rød, og æblet er på øen. Størrelsen på måleren er større."
_CODED = [
    *((_GERMAN, codec) for codec in ("cp437", "cp850", "mac_roman", "cp1252", "iso8859_15")),
    *((_CZECH, codec) for codec in ("cp852", "mac_latin2", "cp1250", "iso8859_2")),
    *((_POLISH, codec) for codec in ("cp852", "mac_latin2", "cp1250", "iso8859_2")),
    *((_FRENCH, codec) for codec in ("iso8859_15", "cp1252", "mac_roman")),
    *((_SPANISH, codec) for codec in ("cp437", "cp850", "mac_roman", "cp1252")),
    *((_DANISH, codec) for codec in ("cp865", "cp850", "mac_roman", "cp1252")),
    ("┌────┐\n│ Öl │\n└────┘\n" + _GERMAN, "cp437"),
    ("“It’s 5 µm” – ±2 °C, ½ of 40 £", "cp1252"),
    ("Это проверка кодировки текста.", "cp866"),
    ("Καλημέρα κόσμε, αυτό είναι ένα κείμενο.", "cp1253"),
]


@pytest.mark.parametrize(("text", "codec"), _CODED)
def test_a_code_page_is_found_by_the_letters_of_the_language(text: str, codec: str) -> None:
    assert decode_text(text.encode(codec)) == text


@pytest.mark.parametrize("codec", ["cp437", "mac_roman", "iso8859_15"])
@pytest.mark.parametrize("file_type", ["txt", "csv", "md", "html", "xml", "eml"])
def test_every_text_format_is_read_in_such_code_pages(codec: str, file_type: str) -> None:
    start = {"html": "<p>", "xml": "<a><p>", "eml": "Subject: x\n\n"}.get(file_type, "")
    end = {"html": "</p>", "xml": "</p></a>"}.get(file_type, "")
    blocks = read_document(f"{start}{_GERMAN}{end}".encode(codec), file_type).blocks
    assert any(_GERMAN in block.text for block in blocks)


@pytest.mark.parametrize(
    ("content", "file_type"),
    [
        (f'<meta charset="iso-8859-1"><p>{_GERMAN}', "html"),
        (f'<?xml version="1.0" encoding="ISO-8859-1"?><a><p>{_GERMAN}</p></a>', "xml"),
        (
            f"Subject: x\nContent-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: 8bit\n\n{_GERMAN}",
            "eml",
        ),
    ],
)
def test_valid_utf_8_is_surer_than_a_declared_charset(content: str, file_type: str) -> None:
    assert any(_GERMAN in block.text for block in read_document(content.encode(), file_type).blocks)


def test_a_declared_charset_is_taken_where_the_bytes_are_not_utf_8() -> None:
    page = f'<meta charset="iso-8859-2"><p>{_CZECH}'.encode("iso8859_2")
    assert read_document(page, "html").blocks[0].text == _CZECH


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("file_type", ["txt", "csv", "html", "xls"])
def test_utf_16_without_a_mark_is_read(codec: str, file_type: str) -> None:
    content = f"<p>{_GERMAN}</p>" if file_type == "html" else _GERMAN
    assert any("Prüfgröße" in block.text for block in read_document(content.encode(codec), file_type).blocks)


def test_a_nul_in_a_text_is_left_out() -> None:
    assert read_document(b"The quay is\0 closed.", "txt").blocks[0].text == "The quay is closed."
    with pytest.raises(UnreadableDocument, match="binary"):
        read_document(b"The\0quay\0is\0closed", "txt")


@pytest.mark.parametrize(
    "content",
    [
        b"<html><table><tr><th>Boat<th>Dues<tr><td>Kiel<td>5</table></html>",
        b"Boat\tDues\nKiel\t5\n",
        "\ufeffBoat\tDues\nKiel\t5\n".encode("utf-16"),
    ],
)
def test_an_export_under_the_name_of_a_workbook_is_read_by_its_content(content: bytes) -> None:
    assert read_document(content, "xls").blocks[0].rows == (("Boat", "Dues"), ("Kiel", "5"))


def test_letters_that_are_lost_are_counted() -> None:
    assert read_document("A quay \ufffd\ufffd".encode(), "txt").defects == {ReadingDefect.LOST_LETTERS: 2}


@pytest.mark.parametrize(
    ("text", "codec", "file_type"),
    [
        (_GERMAN, "cp273", "txt"),
        (_GERMAN, "cp037", "md"),
        ("ACCOUNT   BALANCE\x85000417    1,250.00\x85000418       17.50\x85", "cp500", "txt"),
        ("site,part,stock\nKiel,0715,12\nAarau,0716,3\n", "cp1140", "csv"),
        ('{"site": "Kiel", "stock": 12}', "cp037", "json"),
        ('<?xml version="1.0" encoding="IBM037"?><sites><site>Kiel</site></sites>', "cp037", "xml"),
        ("<html><body><p>The quay is closed.</p></body></html>", "cp500", "html"),
        ("Subject: Quay\n\nThe quay is closed.\n", "cp037", "eml"),
        ("REPORT\n" + "KIEL      12  OPEN\n" * 40, "cp037", "xls"),
    ],
)
def test_text_in_ebcdic_is_named(text: str, codec: str, file_type: str) -> None:
    with pytest.raises(UnreadableDocument, match="EBCDIC"):
        read_document(text.encode(codec), file_type)


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        ("アクセスアカウント、アドレス、アイテム。" * 9, "cp932"),
        ("ア@イ@ウ@エ@オ@", "cp932"),
        ("这是一个测试文件，用于检查编码。" * 5, "gb18030"),
        ("한국어 문서의 인코딩을 확인합니다. " * 5, "cp949"),
        ("ПРОВЕРКА КОДИРОВКИ ТЕКСТА, ДЕСЯТЬ СЛОВ", "koi8_r"),
        ("Проверка@кодировки@текста", "cp1251"),
        ("ΚΑΛΗΜΕΡΑ ΚΟΣΜΕ", "cp1253"),
        ("@@@ ### @@@ @a @b @c", "cp1252"),
        ("äöü ÄÖÜ ß äöü", "cp1252"),
        ("שלום עולם זה קובץ", "cp1255"),
    ],
)
def test_text_in_another_encoding_is_not_taken_for_ebcdic(text: str, codec: str) -> None:
    assert read_document(text.encode(codec), "txt").blocks
