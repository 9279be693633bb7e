"""Search: the one service behind every dialect, the command line and the measurement."""

from groundwire.services.search.found import Found
from groundwire.services.search.passage import Passage, named_documents
from groundwire.services.search.search import Search, SearchCall
from groundwire.services.search.trace import Trace

__all__ = ["Found", "Passage", "Search", "SearchCall", "Trace", "named_documents"]
