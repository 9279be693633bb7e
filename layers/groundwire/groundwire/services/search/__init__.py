"""Search: the one service behind every dialect, the command line and the evaluation."""

from groundwire.services.search.results import NOT_RELEVANT, Passage, SearchResult, Trace, audited_documents
from groundwire.services.search.search import Search, SearchFunction

__all__ = ["NOT_RELEVANT", "Passage", "Search", "SearchFunction", "SearchResult", "Trace", "audited_documents"]
