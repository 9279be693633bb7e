"""Requests on the form of an answer, as "say it again as bullet points": they repeat a question, and add no subject."""

import re
from typing import Final

from groundwire.domain.search.planning.vocabulary import Word, word_set, words_of

_MAX_REQUEST_WORDS: Final = 30
_MAX_OTHER_WORDS: Final = 2
"""Content words of a request beside those on the form: a further one is a subject."""

_VERBS: Final = word_set(
    # English
    """answer break cite clean condense convert cut draw explain express format give giving have keep list make
    paraphrase phrase put quote read redo reformat repeat rephrase reply respond restate reword rewrite say shorten show
    simplify speak split spell structure summarise summarize sum tell translate trim turn type use write"""
    # German
    """ antworte erkl\u00e4r erkl\u00e4re fass fasse formatiere formulier formuliere gib k\u00fcrze mach mache
    schreib schreibe schreiben sag sage sagen erkl\u00e4ren machen geben formulieren \u00fcbersetzen
    zusammenfassen wiederholen \u00fcbersetz \u00fcbersetze wiederhol wiederhole zeig"""
    # French, Spanish
    """ dis donne explique fais mets r\u00e9p\u00e8te reformule r\u00e9sume traduis \u00e9cris \u00e9crire
    dire expliquer faire mettre r\u00e9p\u00e9ter reformuler r\u00e9sumer traduire escribir decir explicar hacer poner
    repetir resumir traducir
    dame di escribe explica haz pon repite resume traduce"""
    # Russian
    """ \u043d\u0430\u043f\u0438\u0448\u0438 \u043f\u0435\u0440\u0435\u0432\u0435\u0434\u0438
    \u043f\u043e\u0432\u0442\u043e\u0440\u0438 \u0441\u043e\u043a\u0440\u0430\u0442\u0438
    \u0441\u043a\u0430\u0436\u0438 \u043e\u0431\u044a\u044f\u0441\u043d\u0438
    \u0441\u0434\u0435\u043b\u0430\u0439 \u043d\u0430\u043f\u0438\u0441\u0430\u0442\u044c
    \u043f\u0435\u0440\u0435\u0432\u0435\u0441\u0442\u0438 \u043f\u043e\u0432\u0442\u043e\u0440\u0438\u0442\u044c
    \u0441\u043e\u043a\u0440\u0430\u0442\u0438\u0442\u044c \u043e\u0431\u044a\u044f\u0441\u043d\u0438\u0442\u044c"""
)
_FORMS: Final = word_set(
    # English
    """again ascii bold briefer brief briefly bullet bulleted bullets capital capitals casual chart child children
    clearer columns concise condensed csv detail detailed diagram dumb dumbed dutch easier easy email emoji emojis
    english essay everyday exact exactly fewer five-year-old formal formally format french friendlier friendly fun
    funny german
    headings headline headlines informal italian japanese jargon json kid kids layman layman's layperson length less
    letters level line lines list longer lowercase mail markdown metric nicer numbered numbers one-liner outline
    paragraph paragraphs parts plain plainer plainly points poem polite portuguese pretty professional prose pupils
    quotation quotations quote quoted
    readable rhyme russian school sentence sentences short shorter simpler simple simply slide slides slower slowly
    source sources spanish spreadsheet steps student style summary table tables technical text thread tl;dr tldr tone
    tweet uppercase verbatim version voice word words wording yaml year-old years-old"""
    # German
    """ deutsch einfach einfacher englisch f\u00f6rmlich kurz k\u00fcrzer liste nochmal noch stichpunkte stichpunkten
    stichworten satz s\u00e4tzen tabelle tabellarisch zusammenfassung"""
    # French, Spanish
    """ anglais bref court courte encore fran\u00e7ais liste phrase phrases plus r\u00e9sum\u00e9 simple simplement
    tableau breve corto corta espa\u00f1ol frases ingl\u00e9s lista sencillo simple tabla resumen"""
    # Russian
    """ \u043a\u043e\u0440\u043e\u0447\u0435 \u043a\u0440\u0430\u0442\u043a\u043e
    \u043f\u0440\u043e\u0449\u0435 \u0441\u043f\u0438\u0441\u043a\u043e\u043c
    \u0442\u0430\u0431\u043b\u0438\u0446\u0435\u0439 \u0442\u0430\u0431\u043b\u0438\u0446\u0443
    \u0435\u0449\u0451 \u0435\u0449\u0435 \u0440\u0430\u0437"""
)
_FILLERS: Final = word_set(
    """a able also always and answer appreciated as at be better bit bot but can could did do document documents
    don't easily everything
    everyone extra for from get good great in instead into is it just kindly like little look lot many maybe me mind
    more most much my myself need needs nice no not now of off on one only or original out passage passages
    perhaps please pls possible
    quickly rather really reply response same second seconds sense so some something somewhat sound still that
    the them there these thing things this time to too two three four five six seven eight nine ten twelve
    twenty fifty hundred under up us very want way we will with without would year years old you your okay ok
    right thanks thank cheers hey hi oh and then
    bitte mir das es f\u00fcr ein eine einer und in als auf nicht so zu kannst k\u00f6nntest du den die der
    s'il te vous pla\u00eet en \u00e7a le la les un une moi por favor me lo el puedes eso
    \u043f\u043e\u0436\u0430\u043b\u0443\u0439\u0441\u0442\u0430 \u044d\u0442\u043e \u0438 \u0432 \u043d\u0430
    \u043c\u043d\u0435"""
)
_BACK: Final = word_set(
    """it that this same them these those again answer reply response das es dies nochmal \u00e7a cela le lo eso esto
    \u044d\u0442\u043e \u0435\u0449\u0451 \u0435\u0449\u0435"""
)
_IN_SCRIPTS_WITHOUT_SPACES: Final = (
    "\u7ffb\u8bd1\u6210",
    "\u7b80\u77ed\u4e00\u70b9",
    "\u518d\u8bf4\u4e00\u904d",
    "\u7528\u8868\u683c",
    "\u8868\u683c\u5f62\u5f0f",
    "\u7b80\u5355\u4e00\u70b9",
    "\u7b87\u6761\u66f8\u304d",
    "\u3082\u3063\u3068\u77ed\u304f",
    "\u3082\u3046\u4e00\u5ea6",
    "\u8868\u306b\u3057\u3066",
)
_SOURCE: Final = re.compile(
    r"(?:and |but |so )?(?:where|how) (?:did|do) you (?:get|got|have|find|know|read|take|learn)"
    r"(?: (?:that|this|it|all))*(?: from)?\s*[?.!]*$",
    re.IGNORECASE,
)
_OPENING_WORDS: Final = 8
"""Words of which one is the verb of a request: "so could you please maybe put ..."."""


def is_about_form(sentence: str) -> bool:
    """Return whether a sentence only requests another form of the answer before it."""
    if len(sentence) > 400:  # noqa: PLR2004
        return False
    is_known = any(phrase in sentence for phrase in _IN_SCRIPTS_WITHOUT_SPACES) and len(sentence) <= 40  # noqa: PLR2004
    if is_known or _SOURCE.match(sentence.strip()):
        return True
    words = words_of(sentence)
    if not words or len(words) > _MAX_REQUEST_WORDS:
        return False
    keys = {word.key for word in words}
    if not keys & _FORMS:
        return False
    others = [word for number, word in enumerate(words) if _is_other(word, number)]
    if not others:
        return bool(keys & (_VERBS | _BACK)) or len(words) <= 4  # noqa: PLR2004
    has_verb = any(word.key in _VERBS for word in words[:_OPENING_WORDS])
    return has_verb and bool(keys & _BACK) and len(others) <= _MAX_OTHER_WORDS and not _is_named(others, words)


def _is_other(word: Word, number: int) -> bool:
    return word.key not in _FORMS | _VERBS | _FILLERS and (word.is_content or number == 0) and not word.key.isdigit()


def _is_named(others: list[Word], words: list[Word]) -> bool:
    """Return whether a name or a code is among the words, which is a subject."""
    return any(word.is_capitalised and word is not words[0] for word in others)
