"""Enricher command of the owner: a program that runs once per document.

It reads one JSON object on standard input, `{"title": …, "segments": [{"text": …, "heading_path": […]}]}`. It writes
one JSON object per segment on a line of its own, in order, with optional fields: `{"context": …, "summary": …,
"questions": […]}`.
"""

import hashlib
import json
import os
import shlex
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from typing import IO, Final

from groundwire.domain.documents.segment import Segment
from groundwire.domain.errors import InvalidInput, Unavailable
from groundwire.domain.text.json_values import is_text_list, load_mapping, require_mapping
from groundwire.ports import Enrichment
from groundwire_readers.text.normalisation import normalise

_MAX_ANSWER_BYTES: Final = 64 * 1024 * 1024
_STDERR_TAIL_BYTES: Final = 300
_START_SECONDS: Final = 60.0
_SECONDS_PER_SEGMENT: Final = 10.0


class CommandEnricher:
    """Implements `ports.Enricher`."""

    def __init__(
        self, command: str, *, start_seconds: float = _START_SECONDS, seconds_per_segment: float = _SECONDS_PER_SEGMENT
    ) -> None:
        """Check and store the command.

        Args:
            command: program and arguments, split as by a shell; no shell runs.
            start_seconds: time limit for each document, besides `seconds_per_segment`.
            seconds_per_segment: additional time limit for each of its segments.

        Raises:
            InvalidInput: the command cannot be run.
        """
        self._command = _split(command)
        self._digest = hashlib.sha256(command.encode("utf-8", "surrogateescape")).hexdigest()[:12]
        self._start_seconds = start_seconds
        self._seconds_per_segment = seconds_per_segment

    @property
    def version(self) -> str:
        """Version that changes with the command: another argument makes every document be read again."""
        return f"enricher-{self._digest}"

    def enrich(self, title: str, segments: Sequence[Segment]) -> list[Enrichment]:
        """Return one enrichment per segment, in order.

        Raises:
            Unavailable: the program failed, took too long, or answered in another form.
        """
        segment_members = [{"text": segment.text, "heading_path": segment.heading_path} for segment in segments]
        request = json.dumps({"title": title, "segments": segment_members}).encode()
        seconds = self._start_seconds + self._seconds_per_segment * len(segments)
        # Bytes are split at line feeds and carriage returns alone, unlike text.
        lines = self._query(request, seconds).splitlines()
        if len(lines) != len(segments):
            raise Unavailable(f"the enricher answered {len(lines)} lines for {len(segments)} passages")
        return [_enrichment(line, number) for number, line in enumerate(lines, start=1)]

    def _query(self, request: bytes, seconds: float) -> bytes:
        # Files and not pipes: a program that answers early or endlessly then blocks nobody.
        with (
            tempfile.TemporaryFile() as stdin_file,
            tempfile.TemporaryFile() as stdout_file,
            tempfile.TemporaryFile() as stderr_file,
        ):
            stdin_file.write(request)
            stdin_file.seek(0)
            code = self._run(stdin_file, stdout_file, stderr_file, seconds)
            if code != 0:
                raise Unavailable(f"the enricher ended with exit code {code}{_stderr_tail(stderr_file)}")
            if stdout_file.seek(0, os.SEEK_END) > _MAX_ANSWER_BYTES:
                raise Unavailable(f"the enricher answered more than {_MAX_ANSWER_BYTES // 1_048_576} MB")
            stdout_file.seek(0)
            return stdout_file.read()

    def _run(self, stdin: IO[bytes], stdout: IO[bytes], stderr: IO[bytes], seconds: float) -> int:
        process: subprocess.Popen[bytes] | None = None
        try:
            with _deferred_signals():
                process = subprocess.Popen(
                    self._command, stdin=stdin, stdout=stdout, stderr=stderr, start_new_session=True
                )
            return process.wait(seconds)
        except OSError as error:
            raise Unavailable(f"the enricher cannot be started: {error.strerror}") from error
        except subprocess.TimeoutExpired as error:
            raise Unavailable(f"the enricher took longer than {seconds:g} s") from error
        finally:
            if process is not None:
                _kill(process)


@contextmanager
def _deferred_signals() -> Generator[None]:
    """Handle SIGINT and SIGTERM after the block: raised inside `Popen`, they would leave a program running."""
    received: list[int] = []
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    deferred = [number for number, handler in handlers.items() if callable(handler) and _is_main_thread()]
    for number in deferred:
        signal.signal(number, lambda each, _frame: received.append(each))
    try:
        yield
    finally:
        for number in deferred:
            signal.signal(number, handlers[number])
    for number in received:
        signal.raise_signal(number)


def _is_main_thread() -> bool:
    """Return whether this thread runs the signal handlers."""
    return threading.current_thread() is threading.main_thread()


def _split(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise InvalidInput(f"GROUNDWIRE_ENRICHER cannot be understood: {error}.") from error
    if not words or shutil.which(words[0]) is None:
        raise InvalidInput(
            f"GROUNDWIRE_ENRICHER names no program that can be run: {' '.join(words[:1]) or 'it is empty'}. "
            "Set the whole command, for example `python3 enrich.py`."
        )
    return words


def _kill(process: "subprocess.Popen[bytes]") -> None:
    """Kill a program that still runs, with its process group."""
    if process.poll() is None:
        with suppress(ProcessLookupError):
            # `start_new_session` made its id that of its group.
            os.killpg(process.pid, signal.SIGKILL)
    # A program that nobody waits for would stay as a zombie.
    process.wait()


def _stderr_tail(stderr: IO[bytes]) -> str:
    """Return the end of the program's standard error, on one line."""
    stderr.seek(max(0, stderr.seek(0, os.SEEK_END) - _STDERR_TAIL_BYTES))
    words = normalise(stderr.read().decode("utf-8", "replace"))
    return f": {words}" if words else ""


def _enrichment(line: bytes, number: int) -> Enrichment:
    fields = require_mapping(load_mapping(line), _malformed_line(number))
    context, summary = fields.get("context"), fields.get("summary")
    questions: object = [] if fields.get("questions") is None else fields["questions"]
    if not isinstance(context, str | None) or not isinstance(summary, str | None) or not is_text_list(questions):
        raise _malformed_line(number)
    return Enrichment(context or "", summary, tuple(questions))


def _malformed_line(number: int) -> Unavailable:
    return Unavailable(
        f"line {number} of the enricher's answer is not an object with a text `context`, a text `summary` and a list "
        "of texts `questions`"
    )
