"""Calendar part of a mail (iCalendar, RFC 5545): what an invitation shows of each event."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from groundwire_readers.contents.parsed import Block, BlockKind
from groundwire_readers.text.normalisation import normalise

_FOLD: Final = re.compile(r"\r?\n[ \t]")
# Each quoted value has one place in the pattern: two would make the time exponential.
_LINE: Final = re.compile(r"([A-Za-z-]{1,60})((?:;[^:;\"]*(?:\"[^\"]*\"[^:;\"]*)?){0,20}):(.*)", re.DOTALL)
_NAME: Final = re.compile(r";CN=(?:\"([^\"]{1,300})\"|([^;:\"]{1,300}))", re.IGNORECASE)
_ZONE: Final = re.compile(r";TZID=\"?([^;:\"]{1,100})", re.IGNORECASE)
_TIME: Final = re.compile(r"(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})(Z?))?")
_ESCAPE: Final = re.compile(r"\\([\\;,nN])")
_LABELS: Final[Mapping[str, str]] = {
    "SUMMARY": "Event",
    "DTSTART": "Start",
    "DTEND": "End",
    "DUE": "Due",
    "DURATION": "Duration",
    "RRULE": "Repeats",
    "LOCATION": "Location",
    "ORGANIZER": "Organizer",
    "ATTENDEE": "Attendee",
    "STATUS": "Status",
    "DESCRIPTION": "Description",
}
_PERSONS: Final = ("ORGANIZER", "ATTENDEE")
_COMPONENTS: Final = ("VEVENT", "VTODO")
_MAX_LINES: Final = 10_000


def blocks_of_calendar(text: str) -> Iterator[Block]:
    """Yield a line for each property of its events and tasks; alarms and time zones are left out."""
    opened: list[str] = []
    for line in _FOLD.sub("", text).splitlines()[:_MAX_LINES]:
        found = _LINE.match(line)
        if found is None:
            continue
        name, value = found[1].upper(), found[3].strip()
        if name == "BEGIN":
            opened.append(value.upper())
        elif name == "END":
            del opened[-1:]
        elif opened and opened[-1] in _COMPONENTS and name in _LABELS and (shown := _shown(name, found[2], value)):
            yield Block(BlockKind.LIST_ITEM, f"{_LABELS[name]}: {shown}")


def _shown(name: str, parameters: str, value: str) -> str:
    if name in _PERSONS:
        person = _NAME.search(parameters)
        address = value[7:] if value[:7].lower() == "mailto:" else value
        return normalise(f"{person[1] or person[2]} ({address})" if person else address)
    if (time := _TIME.fullmatch(value)) is not None:
        zone = _ZONE.search(parameters)
        return normalise(f"{_time(time)} {zone[1] if zone else ''}")
    return normalise(_ESCAPE.sub(lambda escape: " " if escape[1] in "nN" else escape[1], value))


def _time(time: re.Match[str]) -> str:
    day = f"{time[1]}-{time[2]}-{time[3]}"
    return day if time[4] is None else f"{day} {time[4]}:{time[5]}{' UTC' if time[7] else ''}"
