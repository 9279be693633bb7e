"""Errors of the readers; the text of each is safe to show."""


class ReadingError(Exception):
    """Error of a reading; the root of the readers' exceptions."""


class UnreadableDocument(ReadingError):
    """Error when a document cannot be read; the message is the reason that its owner sees."""


class WorkerNotStarted(ReadingError):
    """Error when the worker cannot start: no document causes it, and no repeat helps before that is mended."""


class OcrDataMissing(ReadingError):
    """Error when no folder has the data of the languages whose text is to be recognised."""
