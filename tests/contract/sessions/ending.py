"""What processes that race do with one session; they import this by name."""

from tests.contract.sessions.backends import Place
from tests.contract.sessions.records import ANN, NOW, SESSION


def end(place: Place, _number: int) -> bool:
    with place.open() as opened:
        return opened.sessions.end(ANN, SESSION.id, NOW)
