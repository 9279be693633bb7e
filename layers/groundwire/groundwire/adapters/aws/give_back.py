"""A call that its key had room for and its tenant had not: the key's rate is as if it had not been."""

from typing import TYPE_CHECKING, Final

from groundwire.adapters.aws.attribute_values import number, read_whole
from groundwire.adapters.aws.faults import ConditionFailed
from groundwire.adapters.aws.rate_writes import Taken
from groundwire.adapters.aws.table import Table

if TYPE_CHECKING:
    from groundwire.adapters.aws.attribute_values import Item

_ATTEMPTS: Final = 3
"""Beyond them nothing is given back: the key is only delayed, never admitted too often."""


def give_back(table: Table, spent: Taken) -> None:
    """What the call took from the key's row is there again.

    Alone, the row is what it was, its last use too. When other calls came after it, `tat` is set back, by less
    than a step if the newest of them came later than what this call counted from: so much has passed already.
    """
    row = {name: spent.before[name] for name in ("id", "part")}
    if not _undone(table, row, spent):
        _set_back(table, row, spent)


def _undone(table: Table, row: "Item", spent: Taken) -> bool:
    restored = {":tat": spent.before["tat"], ":taken": number(spent.tat)}
    change = "SET tat = :tat"
    if "last_used" in spent.before:
        change += ", last_used = :last_used"
        restored[":last_used"] = spent.before["last_used"]
    else:
        change += " REMOVE last_used"
    try:
        table.update(row, change, "tat = :taken", restored)
    except ConditionFailed:
        return False
    return True


def _set_back(table: Table, row: "Item", spent: Taken) -> None:
    newest = spent.start
    for _ in range(_ATTEMPTS):
        left = spent.tat - newest
        if left <= 0:
            return
        values = {":left": number(left), ":newest": number(newest)}
        try:
            table.update(row, "SET tat = tat - :left", "latest_call <= :newest", values)
        except ConditionFailed as failed:
            (item,) = failed.items
            if item is None:
                return
            newest = max(newest, read_whole(item, "latest_call"))
        else:
            return
