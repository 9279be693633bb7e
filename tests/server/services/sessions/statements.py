"""Statements that are executed on the registry's file."""

import sqlite3
from pathlib import Path

import pytest

from groundwire.adapters.local.registry import database


class Statements:
    """Every statement about sessions, by its first word: SELECT, INSERT, UPDATE, DELETE."""

    def __init__(self) -> None:
        self._words: list[str] = []

    @classmethod
    def watched(cls, monkeypatch: pytest.MonkeyPatch) -> "Statements":
        statements = cls()
        open_file = database._open

        def opened(file: Path) -> sqlite3.Connection:
            connection = open_file(file)
            connection.set_trace_callback(statements._note)
            return connection

        monkeypatch.setattr(database, "_open", opened)
        return statements

    def taken(self) -> list[str]:
        """Those since the last time."""
        words, self._words = self._words, []
        return words

    def _note(self, statement: str) -> None:
        if " sessions " in statement:
            self._words.append(statement.split(maxsplit=1)[0])
