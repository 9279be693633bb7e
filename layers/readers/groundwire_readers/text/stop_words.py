"""Stop words: a list for English; in other languages the short, frequent words of the document."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

_ENGLISH_LIST: Final = """
a about above accordingly across after again against all almost along already also although always am among an and
another any anything anyway are aren't around as at away back be became because become been before being below
besides between beyond both but by came can can't cannot case come could couldn't did didn't different do does
doesn't doing don't done down due during each either else enough etc even ever every everything example except few
find first following for former found from further gave get give given go goes going gone got had has hasn't have
haven't having he hence her here hers herself him himself his how however i i'm i've if in inc indeed instead into
is isn't it it's its itself just keep kept know known last later latter least less let like likely ltd made mainly
make makes making many may maybe me mean means might more moreover most mostly much must my myself namely near
need needs neither never nevertheless next no nobody none nor not nothing now nowhere number of off often on once
one ones only onto or other others otherwise our ours ourselves out over own particular perhaps please possible
put quite rather really regarding s said same say says second see seem seemed seems seen several shall she should
shouldn't show since six so some something sometimes somewhat soon still such t take taken than that that's the
their theirs them themselves then thence there thereby therefore these they they're third this those though three
through throughout thus to together too toward towards two under unless until up upon us use used uses using
usually various very via was wasn't way ways we well went were weren't what whatever when whenever where whereas
wherein wherever whether which whichever while who whoever whole whom whose why will with within without won't
would wouldn't yes yet you you'd you'll you're your yours yourself
"""
ENGLISH_STOP_WORDS: Final = frozenset(_ENGLISH_LIST.split())

_MIN_CONTENT_WORD_LETTERS: Final = 4
"""Minimum length of a lower-case word that is no stop word, in languages without a list."""
_SHORT_WORD_LETTERS: Final = 6
_COMMON_WORD_SHARE: Final = 0.01
"""Share of all words above which a short lower-case word counts as a stop word."""
_MIN_SAMPLE_WORDS: Final = 500
"""Minimum total for these shares: in a short text a content word is frequent, too."""


def stop_words(texts: Iterable[Sequence[str]], language: str) -> frozenset[str]:
    """Return the stop words of a document, case folded.

    In a script without letter case only the English list applies.

    Args:
        texts: the words of each passage as written.
        language: ISO 639-1.
    """
    if language == "en":
        return ENGLISH_STOP_WORDS
    counted = Counter(word for text in texts for word in text if word.islower() and word.isalpha())
    total = max(sum(counted.values()), _MIN_SAMPLE_WORDS)
    common = {
        word
        for word, count in counted.items()
        if len(word) < _SHORT_WORD_LETTERS and count / total > _COMMON_WORD_SHARE
    }
    return ENGLISH_STOP_WORDS | common | {word for word in counted if len(word) < _MIN_CONTENT_WORD_LETTERS}
