"""Follow-ups: questions that are complete only with the one before."""

import re
from typing import Final

from groundwire.domain.search.planning.languages import depends_on_previous, language_of_question
from groundwire.domain.search.planning.references import find_reference, resolve_reference, select_item
from groundwire.domain.search.planning.subjects import subject_of
from groundwire.domain.search.planning.substitution import substitute, substitute_noun
from groundwire.domain.search.planning.vocabulary import (
    AUXILIARIES,
    FORMS_OF_BE,
    IMPERATIVES,
    PREPOSITIONS,
    WH_WORDS,
    Word,
    content_of,
    sentences_of,
    starts_question,
    without_end_marks,
    words_of,
)

_MAX_FRAGMENT_WORDS: Final = 6
_MAX_OPEN_CONTENT: Final = 2
_MAX_FOLLOW_UP_CHARACTERS: Final = 400
_MIN_COMPLETE: Final = 4
"""Content words of a question that is complete after a remark."""

_OPENER: Final = re.compile(
    r"(?P<about>(?:(?:and|but|so|ok|okay|then|or|well|also|hmm?|now|ah|oh),? )*(?:what|how) about|(?:and|but"
    r"|so) what if|(?:and |but )?what of"
    r"|(?:and |or )?(?:what|how) (?:is it|does it look|is that|are things) (?:for|with|in)(?= )"
    r"|(?:and |but )?(?:is (?:it|that)|are (?:they|those)|does (?:it|that)) (?:the same|(?:also )?(?:apply"
    r"|hold)|different|similar|true)(?: (?:for|to|in|of|with|at))?)\s+(?:the case of )?"
    r"|(?P<joint>(?:and|but|so|or|also|then|plus)\b,?\s+(?:then |also )?(?=\S))",
    re.IGNORECASE,
)
_REQUEST_FOR_MORE: Final = re.compile(
    r"(?:(?:can|could|would) you )?(?:please )?(?:tell me more|(?:some )?more(?: details?| information| info"
    r"| examples?)?|go on|continue|elaborate|explain (?:that|this|it|more|further|again)|expand"
    r"|give me (?:more|an example|some examples|details|the details)|(?:an |any |some )?(?:examples?"
    r"|details?)|what else|anything else|say more|go deeper|in (?:more )?detail|details|really|are you sure"
    r"|is that (?:true|right|correct|all)|i don't (?:understand|get it)|what do you mean|come again)"
    r"(?: please| about (?:that|this|it|them)| on (?:that|this|it)| of (?:that|this|it)| in more detail"
    r"| then)*[\s?.!]*$",
    re.IGNORECASE,
)
_AGREEMENT: Final = re.compile(
    r"(?:yes|yeah|yep|yup|sure|correct|exactly|right|ok|okay|please do|go ahead|of course|ja|oui|s\u00ed"
    r"|\u0434\u0430)\b[,.! ]*(?:please|do|that(?:'s| is) (?:right|it|what i mean)|exactly|go ahead|thanks"
    r"|thank you|bitte|[,.! ])*$",
    re.IGNORECASE,
)
_COMPARISON: Final = re.compile(
    r"\b(?:cheaper|better|worse|faster|slower|larger|bigger|smaller|older|newer|higher|lower|longer|shorter"
    r"|cheapest|best|worst|fastest|largest|biggest|smallest|oldest|newest|highest|lowest|longest|shortest"
    r"|difference|differ|else|others?|another|same|instead|too|either)\b",
    re.IGNORECASE,
)


def is_agreement(text: str) -> bool:
    """Return whether a message only agrees with the assistant's question."""
    return _AGREEMENT.match(text.strip()[:80]) is not None and len(text.strip()) <= 80  # noqa: PLR2004


def continued(question: str, earlier: str, answer: str | None, listing: str = "") -> list[str]:
    """Return self-contained forms of a question, the likeliest first; the question alone where it needs no other.

    Args:
        question: one question of the user.
        earlier: the question before, self-contained.
        answer: the assistant's message after it; None where both questions are of one message.
        listing: the last message of the assistant in this topic that lists items in lines.
    """
    if len(question) > _MAX_FOLLOW_UP_CHARACTERS:
        return [question]
    language = language_of_question(question)
    if language != "en":
        needs = depends_on_previous(question, language)
        return [f"{earlier.strip()} {question.strip()}"] if needs else [question]
    if _REQUEST_FOR_MORE.match(question.strip()):
        return [earlier]
    if _is_complete_after_remark(question):
        return [question]
    return select_item(question, earlier, listing or answer or "") or _continued_in_english(question, earlier, answer)


def _continued_in_english(question: str, earlier: str, answer: str | None) -> list[str]:
    opener = _OPENER.match(question.strip())
    body = question.strip()[opener.end() :] if opener else question
    words = words_of(body)
    if not words:
        return [earlier]
    if words[0].key in AUXILIARIES and len(words) <= 3 and words[-1].is_content:  # noqa: PLR2004
        # "Do dogs?" is the question before about dogs.
        body = body[words[1].start :] if len(words) > 1 else body
    if _is_fragment(body, is_opened=opener is not None):
        return _completed(body, earlier, is_about=opener is not None and bool(opener["about"]))
    return _with_referent(question, body, earlier, answer, is_opened=opener is not None)


def _is_fragment(text: str, *, is_opened: bool) -> bool:
    """Return whether a text is no sentence: a noun phrase, or a question word with little else."""
    words = words_of(text)
    if words[0].key in PREPOSITIONS and not any(word.key in WH_WORDS | AUXILIARIES for word in words):
        return True
    if words[0].key in IMPERATIVES and len(words) > 1:
        return False
    if starts_question(words):
        return not content_of(words) and find_reference(text) is None
    limit = 2 * _MAX_FRAGMENT_WORDS if is_opened else _MAX_FRAGMENT_WORDS
    return len(words) <= limit and not any(word.key in AUXILIARIES | WH_WORDS for word in words[1:])


def _completed(fragment: str, earlier: str, *, is_about: bool) -> list[str]:
    """Return the earlier question about the fragment."""
    words = words_of(fragment)
    base = without_end_marks(earlier)
    if words[0].key in WH_WORDS:
        return [f"{base}, {fragment.strip()}"]
    reference = find_reference(fragment)
    plain = without_end_marks(fragment)
    if reference is None and (replaced := substitute(earlier, plain)):
        return [replaced]
    subject = subject_of(earlier)
    joined = f"{base} {plain}" if words[0].key in PREPOSITIONS else f"{base}, {plain}"
    if not content_of(words):
        return [joined]
    if swapped := substitute_noun(earlier, plain):
        return [swapped, f"{plain} {subject}"]
    mark = "?" if earlier.rstrip().endswith("?") else ""
    return (
        [f"{joined}{mark}", f"{plain} {subject}"]
        if is_about or len(content_of(words)) <= 1
        else [fragment, joined + mark]
    )


def _with_referent(question: str, body: str, earlier: str, answer: str | None, *, is_opened: bool) -> list[str]:
    """Return a full question with the subject of the earlier one where it refers to it or names too little."""
    joined = f"{without_end_marks(body)}, {subject_of(earlier)}?"
    *context, last = sentences_of(body) or [body]
    if any(content_of(words_of(part)) for part in context) and find_reference(last):
        # What the user states before a question most likely names what its pronoun means.
        return [body, joined]
    if reference := find_reference(body):
        return resolve_reference(body, reference, earlier, answer or "")
    words = words_of(body)
    content = content_of(words)
    known = {word.key for word in words_of(f"{earlier} {(answer or '')[:600]}")}
    is_named = any(word.is_capitalised and word.text != "I" and word.key not in known for word in words[1:])
    if not content or (_COMPARISON.search(body) and len(content) <= _MAX_OPEN_CONTENT and not is_named):
        return [joined]
    is_remark = answer is not None and _is_remark(last, words)
    if (is_named and not is_remark) or answer is None:
        return [body]
    if not is_remark and is_opened and len(content) <= _MAX_OPEN_CONTENT + 1:
        return [joined, body]
    return [body, joined] if is_remark or len(content) <= _open_limit(words, known) else [question]


def _is_complete_after_remark(text: str) -> bool:
    """Return whether the last of several sentences is a question with words enough of its own, and no reference.

    A pronoun of the remark before it then means nothing that is searched for.
    """
    parts = sentences_of(text)
    words = words_of(parts[-1]) if len(parts) > 1 else []
    return starts_question(words) and len(content_of(words)) >= _MIN_COMPLETE and find_reference(parts[-1]) is None


def _is_remark(last: str, words: list[Word]) -> bool:
    """Return whether a message is a statement: after an answer it is a remark about it, or changes the question."""
    asks = last.rstrip().endswith("?") or starts_question(words_of(last))
    return not asks and words[0].key not in IMPERATIVES


def _open_limit(words: list[Word], known: set[str]) -> int:
    """Return how many content words a question may have and still lack the subject of the one before."""
    if any(word.key == "the" for word in words) and not any(word.key == "of" for word in words):
        return _MAX_OPEN_CONTENT
    is_existence = len(words) > 2 and words[0].key in FORMS_OF_BE and words[1].key == "there"  # noqa: PLR2004
    is_choice = len(words) > 1 and words[0].key == "which" and words[1].key in AUXILIARIES
    is_about_known = any(word.key in known for word in words if word.is_content)
    return _MAX_OPEN_CONTENT if is_about_known or is_existence or is_choice else 0
