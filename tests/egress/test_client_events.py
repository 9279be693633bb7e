"""Server-sent events: however the bytes are cut, the messages are the same."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire_egress.mcp_client.event_stream import event_data

FRAGMENTS = (
    b"data",
    b": ",
    b":",
    b"\n",
    b"\r",
    b"\r\n",
    b"event: message",
    b"event: ping",
    b"id: 1",
    b" ",
    b"\xef\xbb\xbf",
)


def plain(stream: bytes) -> list[bytes]:
    """The messages by a second reading of the rules, of the whole stream at once."""
    lines = stream.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")[:-1]
    if lines:
        lines[0] = lines[0].removeprefix(b"\xef\xbb\xbf")
    found: list[bytes] = []
    data: list[bytes] = []
    kind = b""
    for line in lines:
        name, _, value = line.partition(b":")
        value = value[1:] if value[:1] == b" " else value
        if not line:
            if b"\n".join(data) and kind in (b"", b"message"):
                found.append(b"\n".join(data))
            data, kind = [], b""
        elif name == b"data":
            data.append(value)
        elif name == b"event":
            kind = value
    return found


def cut(stream: bytes, places: Iterable[int]) -> list[bytes]:
    at = sorted({min(place, len(stream)) for place in places} | {0, len(stream)})
    return [stream[start:end] for start, end in pairwise(at)]


@pytest.mark.parametrize(
    ("stream", "expected"),
    [
        (b"data: 1\n\n", [b"1"]),
        (b"data:1\r\n\r\ndata: 2\r\rdata:  3\n\n", [b"1", b"2", b" 3"]),
        (b": hello\n\ndata: a\ndata: b\ndata\n\n", [b"a\nb\n"]),
        (b"event: message\ndata: 1\n\nevent: other\ndata: 2\n\ndata: 3\n\n", [b"1", b"3"]),
        (b"id: 7\nretry: 10\ndata: \n\n", []),
        (b"\xef\xbb\xbfdata: 1\n\n", [b"1"]),
        (b"data: 1\n", []),
        (b"data: 1\n\ndata: 2", [b"1"]),
        (b"dat: 1\ndata : 2\nDATA: 3\n\n", []),
        (b"", []),
        ("data: ü\u2028\n\n".encode(), ["ü\u2028".encode()]),
    ],
)
def test_a_stream_is_parsed_into_its_messages(stream: bytes, expected: list[bytes]) -> None:
    assert list(event_data([stream])) == expected
    assert list(event_data([bytes([each]) for each in stream])) == expected


@given(st.lists(st.one_of(st.sampled_from(FRAGMENTS), st.binary(max_size=4))), st.lists(st.integers(0, 200)))
def test_no_cut_of_the_bytes_changes_a_message(fragments: list[bytes], places: list[int]) -> None:
    stream = b"".join(fragments)
    assert list(event_data(cut(stream, places))) == plain(stream)


@given(st.lists(st.one_of(st.just(b""), st.sampled_from(FRAGMENTS))))
def test_empty_chunks_change_no_message(chunks: Sequence[bytes]) -> None:
    assert list(event_data(chunks)) == plain(b"".join(chunks))


def test_a_message_is_there_before_its_stream_ends() -> None:
    def chunks() -> Iterable[bytes]:
        yield b"data: 1\r\n\r\n"
        raise AssertionError

    assert next(event_data(chunks())) == b"1"


def test_a_line_of_many_chunks_is_one_message() -> None:
    # A reading that copies the line for each chunk copies 40 TB.
    assert list(event_data([b"data: ", *[b"x" * 200] * 600_000, b"\n\n"])) == [b"x" * 120_000_000]
