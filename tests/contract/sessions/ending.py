"""Entry points of processes that change one session concurrently; they import this module by name."""

from tests.contract.sessions.backends import Place
from tests.contract.sessions.records import ANN, NOW, SESSION


def end(place: Place, _number: int) -> bool:
    with place.open() as opened:
        return opened.sessions.end(ANN, SESSION.id, NOW)
