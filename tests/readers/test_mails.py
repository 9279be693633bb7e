"""Mails: their headers, the body that is shown, and the files that come with them."""

from datetime import date

import pytest

from groundwire_readers import WorkerParser
from groundwire_readers.contents.limits import MAX_ATTACHMENTS
from groundwire_readers.contents.parsed import BlockKind, ParsedDocument
from groundwire_readers.errors import UnreadableDocument
from groundwire_readers.readers.mail.calendar_part import blocks_of_calendar
from tests.readers.compound_files import attachment, compound, message
from tests.readers.mails import made as new_mail

_SENT = 133_616_304_000_000_000
"""31 May 2024 at noon."""


def lines(document: ParsedDocument) -> list[str]:
    return [block.text for block in document.blocks]


def test_a_mail_begins_with_its_headers_and_states_who_wrote_it_when(parser: WorkerParser) -> None:
    document = parser.parse(new_mail().as_bytes(), "eml")
    assert document.title == "Öffnung der Station"
    assert (document.blocks[0].kind, document.blocks[0].text) == (BlockKind.HEADING, "Öffnung der Station")
    assert lines(document)[1:] == [
        "From: Jörg Müller (joerg@example.com)",
        "To: all@example.com",
        "Date: Fri, 31 May 2024 12:00:00 +0200",
        "Dear all, the station opens on Monday.",
    ]
    assert document.front_matter == {"author": "Jörg Müller (joerg@example.com)", "date": date(2024, 5, 31)}


def test_of_two_forms_of_a_body_the_plain_one_is_read(parser: WorkerParser) -> None:
    made = new_mail("Plain words.")
    made.add_alternative("<p>Styled words.</p>", subtype="html")
    assert lines(parser.parse(made.as_bytes(), "eml"))[-1] == "Plain words."


def test_a_body_that_is_a_web_page_is_read_as_one(parser: WorkerParser) -> None:
    made = new_mail()
    made.set_content("<h2>News</h2><p>Shown<span style='display:none'>SECRET</span></p>", subtype="html")
    assert lines(parser.parse(made.as_bytes(), "eml"))[-2:] == ["News", "Shown"]


def test_a_body_in_an_encoding_that_nobody_knows_is_still_read(parser: WorkerParser) -> None:
    made = new_mail().as_bytes().replace(b'charset="utf-8"', b'charset="no-such-charset"')
    assert lines(parser.parse(made, "eml"))[-1] == "Dear all, the station opens on Monday."


def test_files_that_are_read_are_attachments_and_others_are_named(parser: WorkerParser) -> None:
    made = new_mail()
    made.add_attachment(b"a,b\n1,2\n", "text", "csv", filename="C:\\Temp\\prices.csv")
    made.add_attachment(b"\x89PNG", "image", "png", filename="logo.png", cid="<logo@x>")
    made.add_attachment(b"\0", "application", "pkcs7-signature", filename="smime.p7s")
    made.add_attachment(b"\x00\x01", "application", "octet-stream", filename="tool.exe")
    document = parser.parse(made.as_bytes(), "eml")
    assert [(one.name, one.content) for one in document.attachments] == [("prices.csv", b"a,b\n1,2\n")]
    assert lines(document)[-1] == "Attachments not read: tool.exe"


def test_a_mail_within_a_mail_is_an_attachment_that_can_be_read(parser: WorkerParser) -> None:
    made = new_mail()
    made.add_attachment(new_mail("Inner words."))
    (inner,) = parser.parse(made.as_bytes(), "eml").attachments
    assert inner.name == "Öffnung der Station.eml"
    assert lines(parser.parse(inner.content, "eml"))[-1] == "Inner words."


def test_no_more_attachments_are_given_than_a_mail_may_have(parser: WorkerParser) -> None:
    made = new_mail()
    for number in range(MAX_ATTACHMENTS + 1):
        made.add_attachment(b"x", "text", "plain", filename=f"{number}.txt")
    document = parser.parse(made.as_bytes(), "eml")
    assert len(document.attachments) == MAX_ATTACHMENTS
    assert lines(document)[-1] == f"Attachments not read: {MAX_ATTACHMENTS}.txt"


def test_a_text_without_headers_is_no_mail(parser: WorkerParser) -> None:
    with pytest.raises(UnreadableDocument, match="no mail headers"):
        parser.parse(b"\nJust some words.\n", "eml")


def test_an_outlook_mail_gives_the_same_as_any_other(parser: WorkerParser) -> None:
    inner = message({"0037": "Inner", "1000": "Inner words."}, _SENT, is_inner=True)
    outer = message(
        {
            "0037": "Öffnung",
            "0C1A": "Jörg",
            "5D01": "joerg@example.com",
            "0E04": "All",
            "1000": "Am Montag.\r\n\r\nBis bald.",
        },
        _SENT,
        {
            "__attach_version1.0_#00000000": attachment("prices.csv", b"a,b\n1,2\n"),
            "__attach_version1.0_#00000001": attachment("", inner),
            "__attach_version1.0_#00000002": attachment("logo.png", b"\x89PNG", "logo@x", "image/png"),
        },
    )
    document = parser.parse(compound(outer), "msg")
    assert lines(document) == [
        "Öffnung",
        "From: Jörg (joerg@example.com)",
        "To: All",
        "Date: Fri, 31 May 2024 12:00:00 +0000",
        "Am Montag.",
        "Bis bald.",
    ]
    assert [one.name for one in document.attachments] == ["prices.csv", "Inner.eml"]
    assert lines(parser.parse(document.attachments[1].content, "eml"))[-1] == "Inner words."


def test_an_outlook_body_in_packed_rich_text_is_unpacked(parser: WorkerParser) -> None:
    # The example of [MS-OXRTFCP] 3.1.1.
    packed = bytes.fromhex(
        "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0"
    )
    outer = message({"0037": "Greeting"}, _SENT, {"__substg1.0_10090102": packed})
    assert lines(parser.parse(compound(outer), "msg"))[-1] == "hello world"


_CALENDAR = """BEGIN:VCALENDAR
BEGIN:VTIMEZONE
DTSTART:19700101T000000
END:VTIMEZONE
BEGIN:VEVENT
SUMMARY:Audit of hall 7\\, with the
  owner
LOCATION:Room 9.12
DTSTART;TZID="Europe/Berlin":20260601T090000
DTEND;VALUE=DATE:20260602
ORGANIZER;CN=Ida Meyer:mailto:ida@acme.example
BEGIN:VALARM
DESCRIPTION:Reminder
END:VALARM
END:VEVENT
END:VCALENDAR
"""


def test_an_invitation_shows_its_event(parser: WorkerParser) -> None:
    made = new_mail("You are invited.")
    made.add_alternative(_CALENDAR.encode(), maintype="text", subtype="calendar")
    assert lines(parser.parse(made.as_bytes(), "eml"))[-6:] == [
        "You are invited.",
        "Event: Audit of hall 7, with the owner",
        "Location: Room 9.12",
        "Start: 2026-06-01 09:00 Europe/Berlin",
        "End: 2026-06-02",
        "Organizer: Ida Meyer (ida@acme.example)",
    ]


def test_of_two_forms_of_a_body_the_one_that_holds_the_message_is_read(parser: WorkerParser) -> None:
    made = new_mail("Your program cannot show this mail.")
    made.add_alternative(f"<p>{' '.join(f'word{number}' for number in range(9))}</p>", subtype="html")
    assert lines(parser.parse(made.as_bytes(), "eml"))[-1].startswith("word0 word1")


def test_of_two_forms_of_a_body_the_one_with_the_figures_that_people_see_is_read(parser: WorkerParser) -> None:
    made = new_mail("The price is 75 EUR.")
    made.add_alternative("<p>The price is 80 EUR.</p>", subtype="html")
    assert lines(parser.parse(made.as_bytes(), "eml"))[-1] == "The price is 80 EUR."


def test_a_calendar_file_is_read_once(parser: WorkerParser) -> None:
    made = new_mail("You are invited.")
    made.add_alternative(_CALENDAR.encode(), maintype="text", subtype="calendar")
    made.add_attachment(_CALENDAR.encode(), maintype="application", subtype="ics", filename="invite.ics")
    shown = lines(parser.parse(made.as_bytes(), "eml"))
    assert sum(line.startswith("Event: ") for line in shown) == 1
    assert shown[-1] == "Organizer: Ida Meyer (ida@acme.example)"


def test_a_form_of_a_body_that_is_not_read_is_named(parser: WorkerParser) -> None:
    made = new_mail("Plain words.")
    made.add_alternative("<bold>Other</bold> words", subtype="enriched")
    assert lines(parser.parse(made.as_bytes(), "eml"))[-1] == "Attachments not read: attachment.enriched"


def test_a_file_among_the_alternatives_is_attached_or_named(parser: WorkerParser) -> None:
    made = new_mail("Plain words.")
    made.add_alternative("<p>Plain words.</p>", subtype="html")
    made.add_alternative(b"%PDF-", maintype="application", subtype="pdf")
    made.add_alternative(b"x", maintype="application", subtype="x-strange")
    document = parser.parse(made.as_bytes(), "eml")
    assert [file.name for file in document.attachments] == ["attachment.pdf"]
    assert lines(document)[-2:] == ["Plain words.", "Attachments not read: attachment.x-strange"]


@pytest.mark.parametrize(
    ("parameters", "text", "shown"),
    [
        ("format=flowed; delsp=yes", "The maxi \nmum is 3.", ["The maximum is 3."]),
        (
            "format=flowed",
            "The maximum \nis 3.\n>quoted \n>on\n> \n>> more ",
            ["The maximum is 3.", "> quoted on", ">> more"],
        ),
        (
            "charset=utf-8",
            "> The rota starts.\n> Bring the key.\n>> Who?",
            ["> The rota starts.", "> Bring the key.", ">> Who?"],
        ),
        (
            "charset=utf-8",
            f"> {'word ' * 14}\n> end.\n\nBye\n-- \nIda\nRoom 2",
            [f"> {'word ' * 14}end.", "Bye", "Ida", "Room 2"],
        ),
        (
            "charset=utf-8",
            f"{'word ' * 14}\nend.\nBye\nIda Meyer\nRoom 2\n\n| a | b |\n| 1 | 2 |",
            [f"{'word ' * 14}end.", "Bye", "Ida Meyer", "Room 2", "a | b\n1 | 2"],
        ),
        (
            "charset=utf-8",
            f"{'word ' * 13}word\n{'word ' * 12}last\nwordy end.\nhttps://acme.example/{'a' * 100}\n\nBye\nIda",
            [f"{'word ' * 13}word {'word ' * 12}last wordy end. https://acme.example/{'a' * 100}", "Bye", "Ida"],
        ),
    ],
)
def test_lines_of_a_body_are_those_that_people_see(
    parser: WorkerParser, parameters: str, text: str, shown: list[str]
) -> None:
    content = f"Subject: s\nContent-Type: text/plain; {parameters}\n\n{text}\n".encode()
    assert lines(parser.parse(content, "eml"))[1:] == shown


def test_the_fields_of_a_delivery_status_are_lines_and_the_mail_is_an_attachment(parser: WorkerParser) -> None:
    parts = (
        "text/plain\n\nYour mail was not delivered.",
        "message/delivery-status\n\nReporting-MTA: dns; mx\n\nFinal-Recipient: rfc822; b@acme.example\nStatus: 5.1.1",
        "message/rfc822\n\nSubject: Returned\n\ntext",
    )
    divided = "".join(f"--b\nContent-Type: {part}\n" for part in parts)
    mail = parser.parse(f"Subject: s\nContent-Type: multipart/report; boundary=b\n\n{divided}--b--\n".encode(), "eml")
    shown = ["Reporting-MTA: dns; mx", "Final-Recipient: rfc822; b@acme.example", "Status: 5.1.1"]
    assert lines(mail)[1:] == ["Your mail was not delivered.", *shown]
    assert [attachment.name for attachment in mail.attachments] == ["Returned.eml"]


def test_a_hostile_parameter_of_an_invitation_ends() -> None:
    # With two places for one value in the pattern, this line would take longer than any test.
    assert list(blocks_of_calendar("BEGIN:VEVENT\nA" + ";aaa" * 40)) == []
