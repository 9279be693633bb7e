"""Stop words by language: words too common to distinguish passages, in the form of `tokenize`."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from groundwire.adapters.lexical.tokenizer import tokenize
from groundwire_readers.text.stop_words import ENGLISH_STOP_WORDS

_ENGLISH: Final = """
a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to
was will with
"""
"""Stop words of Lucene's English analyzer. The other lists have the commonest articles, pronouns, prepositions,
conjunctions and auxiliaries of their languages.
"""

_GERMAN: Final = """
aber als am an auch auf aus bei beim bin bis bist da das dass dem den denn der des die dies diese diesem diesen dieser
dieses doch du durch ein eine einem einen einer eines er es für hat haben hatte ich ihr im in ins ist ja kein keine
mit nach nicht noch nur ob oder ohne sein seine sich sie sind so über um und uns unter vom von vor war waren wenn
werden wie wir wird wurde wurden zu zum zur
"""

_FRENCH: Final = """
a à ai au aux avec c ce ces cet cette d dans de des du elle elles en es est et été être eu il ils j je l la le les
leur leurs lui m ma mais me même mes n ne nos notre nous on ont ou où par pas pour qu que qui s sa sans se ses si son
sont sur t ta te tes tu un une vos votre vous y
"""

_SPANISH: Final = """
a al ante como con cual cuando de del desde donde e el ella ellas ellos en entre era es esa ese eso esta estas este
esto estos está están fue ha han hasta hay la las le les lo los me mi muy más ni no nos o para pero por porque que qué
se ser si sin sobre son su sus sí también te tu un una unas uno unos y ya yo
"""

_ITALIAN: Final = """
a ad ai al alla alle allo agli anche c che chi ci come con cui d da dagli dai dal dalla dalle dallo degli dei del
della delle dello di dove e ed è era essere fra gli ha hanno i il in io l la le lei lo loro lui ma mi ne negli nei nel
nella nelle nello noi non o per perché più quella quelle quelli quello questa queste questi questo se sei si sia sono
su sua sue sugli sui sul sulla sulle sullo suo suoi tra tu un una uno vi voi
"""

_PORTUGUESE: Final = """
a à ao aos as às até com como da das de dela dele deles do dos e é ela elas ele eles em entre era essa esse esta este
está eu foi há isso isto já lhe mais mas me mesmo muito na nas nem no nos não o os ou para pela pelas pelo pelos por
qual quando que quem se sem ser seu seus são só sua suas também te tem têm um uma você
"""

_DUTCH: Final = """
aan al als bij dan dat de der deze die dit doch door dus een en er ge had hebben heeft hem het hier hij hoe hun ik in is
je kan maar me meer met mij na naar niet nog nu of om onder ons ook op over te tot u uit van voor want was wat we
wel werd wie wij worden wordt zal ze zich zij zijn zo zou
"""

STOP_WORDS: Final[Mapping[str, frozenset[str]]] = {
    language: frozenset(listed.split())
    for language, listed in (
        ("en", _ENGLISH),
        ("de", _GERMAN),
        ("fr", _FRENCH),
        ("es", _SPANISH),
        ("it", _ITALIAN),
        ("pt", _PORTUGUESE),
        ("nl", _DUTCH),
    )
}
"""Stop words by ISO 639-1; a language without a list keeps all its words."""

_MIN_WORDS: Final = 3
"""Stop words of a language that show that a phrase is in it: one or two can be content words of another."""
_PHRASE_LISTS: Final = {**STOP_WORDS, "en": STOP_WORDS["en"] | ENGLISH_STOP_WORDS}


def foreign_stop_words(text: str, language: str) -> frozenset[str]:
    """Return the stop words of a phrase's language for passages in another language; none where it can be the same.

    They distinguish no passage, but are rare in passages of another language, and would count most there.
    """
    languages = _languages_of_phrase(text)
    if not languages or language in languages:
        return frozenset()
    # The lists share words, so that a phrase may fit several languages alike.
    first, *others = (_PHRASE_LISTS[each] for each in languages)
    return first.intersection(*others)


@lru_cache(maxsize=256)
def _languages_of_phrase(text: str) -> tuple[str, ...]:
    """Return the languages that have most words of the phrase in their lists; none where these are too few."""
    words = set(tokenize(text))
    counts = {language: len(words & listed) for language, listed in _PHRASE_LISTS.items()}
    most = max(counts.values())
    return tuple(each for each, count in counts.items() if count == most >= _MIN_WORDS)
