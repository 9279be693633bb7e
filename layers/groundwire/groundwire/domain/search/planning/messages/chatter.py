"""Chatter of a message: greetings, thanks, polite frames, and instructions to the assistant about its answer."""

import re
from typing import Final

from groundwire.domain.search.planning.messages.small_talk import is_small_talk
from groundwire.domain.search.planning.vocabulary import (
    PREPOSITIONS,
    Word,
    content_of,
    starts_question,
    word_set,
    words_of,
)

_MAX_CHATTER_WORDS: Final = 24

_GREETINGS: Final = word_set(
    """hi hello hey hiya howdy greetings dear morning evening afternoon thanks thank thx ty cheers please pls ok
    okay great perfect cool nice wow awesome amazing excellent lovely super brilliant lol haha sorry bye goodbye
    regards welcome congratulations sure right alright yep yeah yup nope understood bonjour merci salut hallo
    danke bitte servus hola gracias buenos dias moin guten tag gru\u00dfe gr\u00fc\u00dfe
    \u043f\u0440\u0438\u0432\u0435\u0442
    \u0437\u0434\u0440\u0430\u0432\u0441\u0442\u0432\u0443\u0439\u0442\u0435
    \u0441\u043f\u0430\u0441\u0438\u0431\u043e \u043f\u043e\u0436\u0430\u043b\u0443\u0439\u0441\u0442\u0430
    \u8c22\u8c22 \u8c22\u8c22\u4f60 \u4f60\u597d \u60a8\u597d \u591a\u8c22 \u3053\u3093\u306b\u3061\u306f
    \u3042\u308a\u304c\u3068\u3046 \u3042\u308a\u304c\u3068\u3046\u3054\u3056\u3044\u307e\u3059
    \u3088\u308d\u3057\u304f\u304a\u9858\u3044\u3057\u307e\u3059"""
)
_THANKS: Final = word_set(
    """thanks thank thx cheers great perfect wow awesome amazing excellent lovely super brilliant danke merci gracias
    \u0441\u043f\u0430\u0441\u0438\u0431\u043e \u8c22\u8c22 \u3042\u308a\u304c\u3068\u3046"""
)
_POLITE_WORDS: Final = (
    word_set(
        """a about advance again ahead all always am an and answer answered anything appreciate appreciated are
        assistant back be been best bit bot but clear clearly coffee could day did doing down else enough even
        everybody everyone everything exactly fast fine finds folks for from friend gladly glad go good got
        gotcha guys had happy has have having he help helped helpful helping here hope hopefully how i i'd i'll
        i'm i've idea in interesting is it it's its just kind kindly later like lot lots luck made makes makes
        many me message mind minute moment more much my need new no not now of off oh on one other out put quick
        quickly quite real really see sense so soon still such team that that's the them there these this time
        to today too two up useful very was we week weekend well what wonderful would yes yet you you're you've
        your yours warm wishes sincerely madam sir vielen dank im voraus schon mal beaucoup d'avance muchas de
        antemano \u0437\u0430\u0440\u0430\u043d\u0435\u0435 \u0431\u043e\u043b\u044c\u0448\u043e\u0435
        \u0434\u043e\u0431\u0440\u044b\u0439 \u0434\u0435\u043d\u044c"""
    )
    | _GREETINGS
)
_ANNOUNCEMENTS: Final = word_set(
    """ask bother context curious different fact facts few following follow further hand important item items last
    let's list matter me move next number once other point points query question questions quickly quiz second
    short something subject then thing things third topic topics three trivia unrelated urgent wondering first
    last bothering four five switch switching change changing along onto"""
)
_INSTRUCTION_VERBS: Final = word_set(
    """answer reply respond write keep format cite limit think act pretend be use give list include provide quote
    summarise summarize translate explain present output return do don't never always avoid stick structure
    mention add describe phrase speak talk make respond"""
)
_ANSWER_WORDS: Final = word_set(
    """absolutely accurate adding additional answer answers anything around at briefly brief bullet bulleted
    bullets accurately casual characters chart child cite cites citing citation citations clear clearly complete
    comprehensive concise concisely correct csv detail detailed details direct document documents easy emoji
    emojis english everyday example examples explanation explanations fewer format formal formatted formatting
    friendly french german guess guessing hallucinate headings helpful html inline informal instead invent
    introduction jargon json knowledge language languages layman layman's least length line lines link links
    list long longer maximum markdown numbered numbers only opinion opinions output outputs own page paragraph
    paragraphs plain plaintext point points polite preamble precise provided quote quotes reasoning reference
    references relevant repeat rhyme sentence sentences short shorter simple simply single source sources
    spanish step steps style summary table tables term terms text thorough tldr tone unsure up url urls verbose
    word words work xml yaml year-old old five six seven eight ten three four fifty hundred 1 2 3 4 5 6 8 10 20
    30 50 100 150 200 250 300 500 expert supplied given sure say know don't can't cannot idea found find context
    retrieved yourself first then thinking"""
)
_ROLE: Final = re.compile(
    r"(?:you are|you're|act as|pretend (?:to be|you are)|imagine you are|your (?:task|job|role) is"
    r"|du bist|sie sind ein|tu es un|vous \u00eates un|eres un|\u0442\u044b \u2014|\u4f60\u662f\u4e00)",
    re.IGNORECASE,
)
_FORBIDDEN: Final = re.compile(
    r"(?:please |and )*(?:do not|don't|never|avoid) (?:make (?:\w+ ){0,3}up|invent|guess|hallucinate"
    r"|speculate|assume|apologi[sz]e|repeat)\b",
    re.IGNORECASE,
)
_PERSONAL: Final = re.compile(
    r"(?:my name is|i am new|i'm new|i'm not an expert|i am not an expert|i hope|hope (?:you|this|all)|i just started"
    r"|(?:kind|best|warm|many|kindest|with) (?:regards|wishes|thanks)|yours (?:sincerely|faithfully|truly)"
    r"|mit freundlichen|viele gr\u00fc|cordialement|saludos|\u0441 \u0443\u0432\u0430\u0436)",
    re.IGNORECASE,
)
_DISREGARD: Final = re.compile(
    r"(?:\w+ ){0,4}(?:ignore|forget|disregard|skip|scratch|never ?mind) (?:about )?"
    r"(?:the above|above|that|it|this|all that|everything|my (?:last|previous|earlier)|the (?:last|previous|rest))\b"
    r"|(?:please |but |and )?(?:never ?mind|forget|disregard|ignore)\b[^?]{0,60}$"
    r"|.{0,40}\bwrong (?:window|chat|table|file|paste|tab|text|one)\b|(?:but )?(?:that|this|it)(?:'s"
    r"| is)? (?:is )?for later",
    re.IGNORECASE,
)
_FRAME: Final = re.compile(
    r"(?:(?:please|pls|kindly|so|well|ok|okay|also|now|then|and|but|oh|hmm|right|anyway|alright|next|actually"
    r"|by the way|btw|(?:just )?out of curiosity|just curious|quick question|one more(?: thing| question)?"
    r"|another question|my question(?: is)?"
    r"|(?:on|to|for) (?:a|an|another) (?:different|other|new|another|unrelated)? ?(?:topic|subject|note"
    r"|matter|question)"
    r"|unrelated(?: to (?:that|this|it|the above|all that))?|different (?:topic|subject|question)"
    r"|new (?:topic|subject|question)"
    r"|changing (?:the )?(?:topic|subject)|something else|moving on|hi there|hi|hello|hey|thanks|thank you|cheers"
    r"|good (?:morning|afternoon|evening|day)|great|perfect|got it|i see|sorry to bother you|excuse me"
    r"|if you don't mind|while (?:you're|you are|we're|we are|i'm) at it|on the (?:one|other) hand|for (?:now|today)"
    r"|if (?:you have (?:the )?time|possible)|(?:one )?last (?:one|thing|question)"
    r"|guten tag|hallo|bonjour|hola|\u043f\u0440\u0438\u0432\u0435\u0442"
    r"|\u043f\u043e\u0434\u0441\u043a\u0430\u0436\u0438\u0442\u0435"
    r"|\u043f\u043e\u0436\u0430\u043b\u0443\u0439\u0441\u0442\u0430|\u8bf7\u95ee|\u4f60\u597d"
    r"|\u3059\u307f\u307e\u305b\u3093)"
    r"(?:\s*[,:.!;\u2013\u2014\uff0c\uff1a]+\s*|\s+(?=\S)))",
    re.IGNORECASE,
)
_STRONG_FRAME: Final = re.compile(
    r"(?:(?:could|can|would|will) (?:you|u|anyone|someone|somebody) (?:please |kindly |maybe |perhaps |also "
    r"|quickly |just )?"
    r"(?:tell me|explain(?: to me)?|let me know|help me (?:understand|find(?: out)?)|remind me|clarify|say"
    r"|check|look up|find out)"
    r"|(?:i was |i'm |i am |was )?(?:just )?wondering|i(?:'d| would) (?:like|love) to (?:know|understand|ask"
    r"|find out|learn)"
    r"|i (?:want|need|wanted|have) to (?:know|ask|understand|find out)|do you (?:happen to )?know"
    r"|(?:please )?(?:tell me|let me know)"
    r"|any idea|i wonder|would you mind telling me)\s+(?:(?:whether|if) you (?:could|can|would"
    r"|might) (?:please |perhaps )?"
    r"(?:tell me|explain|know|let me know|help me understand)\s+|(?:about\s+)?(?=\S))",
    re.IGNORECASE,
)
_FRAME_MARKS: Final = frozenset(",:.!;\u2013\u2014\uff0c\uff1a")
_SINGLE_FRAMES: Final = word_set(
    "well ok okay now oh right anyway alright next actually hi hello hey thanks cheers great perfect hmm"
)
_MAX_FRAMES: Final = 6
_TRAILING: Final = re.compile(
    r"[,;\u2013\u2014]?\s+(?:(?:thanks|thank you|thx|cheers)(?: (?:so much|a lot|very much|in advance"
    r"|again))*|please|pls|if you don't mind|lol)\s*([.!?]*)\s*$",
    re.IGNORECASE,
)


def is_thankful(text: str) -> bool:
    """Return whether thanks or praise open a message."""
    return any(word.key in _THANKS for word in words_of(text[:80])[:4])


def is_chatter(sentence: str) -> bool:
    """Return whether a sentence has nothing to search for."""
    words = words_of(sentence[:400])
    if not words:
        return not any(character.isalnum() for character in sentence)
    if is_small_talk(sentence):
        return True
    if len(words) > _MAX_CHATTER_WORDS or sentence.rstrip().endswith(("?", "\uff1f")):
        return len(words) <= _MAX_CHATTER_WORDS and _is_social(words, sentence)
    return (
        _is_social(words, sentence)
        or _is_instruction(words, sentence)
        or _DISREGARD.match(sentence.lstrip()) is not None
        or _PERSONAL.match(sentence.lstrip()) is not None
        or _is_announcement(words)
    )


def _is_social(words: list[Word], sentence: str) -> bool:
    keys = {word.key for word in words}
    if (
        sentence.rstrip().endswith("?")
        and not keys & _GREETINGS
        and not keys <= {"how", "are", "you", "doing", "today"}
    ):
        return keys <= _POLITE_WORDS and "help" in keys
    if keys <= _POLITE_WORDS:
        return (
            bool(keys & _GREETINGS)
            or bool(keys & {"help", "helped", "helpful", "sense", "clear", "interesting", "good", "hope"})
            or (keys <= {"no", "yes", "that's", "all"})
        )
    # A greeting and a name, as in "Dear Maya," or "Hello Claude!".
    return words[0].key in {"hi", "hello", "hey", "dear", "cheers", "regards"} and len(words) <= 3  # noqa: PLR2004


def _is_announcement(words: list[Word]) -> bool:
    """Return whether a sentence without a subject of its own announces the next ones, as in "Two more questions"."""
    keys = {word.key for word in words}
    return (
        bool(keys & _ANNOUNCEMENTS)
        and all(
            word.key in _ANNOUNCEMENTS or word.key in _POLITE_WORDS or word.key in PREPOSITIONS or not word.is_content
            for word in words
        )
        and bool(
            {
                "question",
                "questions",
                "thing",
                "things",
                "topic",
                "topics",
                "subject",
                "query",
                "something",
                "fact",
                "facts",
                "wondering",
                "quiz",
                "move",
                "change",
                "switch",
                "following",
                "unrelated",
            }
            & keys
        )
    )


def _is_instruction(words: list[Word], sentence: str) -> bool:
    """Return whether a sentence is an order on how to answer: a role, or answer words alone."""
    stripped = sentence.lstrip(" \t-*\u2022")
    if _ROLE.match(stripped):
        return True
    keys = [
        word.key for word in words if word.key not in {"please", "and", "also", "so", "just", "but", "kindly", "then"}
    ]
    if not keys:
        return False
    is_order = (
        keys[0] in _INSTRUCTION_VERBS or keys[0] in {"if", "no", "in", "without", "briefly"} or "don't" in keys[:8]
    )
    content = [word for word in words if word.is_content]
    return _FORBIDDEN.match(stripped) is not None or (
        is_order
        and all(word.key in _ANSWER_WORDS | _INSTRUCTION_VERBS | _POLITE_WORDS for word in content)
        and any(word.key in _ANSWER_WORDS for word in content)
    )


def without_frame(sentence: str) -> str:
    """Return a sentence without the polite words around its question; the sentence itself where it has none."""
    text = sentence.strip()
    for _ in range(_MAX_FRAMES):
        shorter = _without_opening(text)
        if shorter == text:
            break
        text = shorter
    trailing = _TRAILING.search(text[-60:])
    if trailing:
        shorter = text[: len(text) - len(trailing[0])] + trailing[1]
        text = shorter if content_of(words_of(shorter)) else text
    return _without_instruction(text)


def _without_opening(text: str) -> str:
    head, colon, rest = text.partition(":")
    if colon and len(head) <= 80 and rest[:1].isspace() and _announces(head):  # noqa: PLR2004
        return rest.strip()
    found = _STRONG_FRAME.match(text) or _FRAME.match(text)
    if found is None:
        return text
    rest = text[found.end() :].strip()
    first = found[0].strip().lower()
    if first in {"and", "but", "then", "so", "also"} or not rest:
        return text
    has_mark = found[0].rstrip()[-1:] in _FRAME_MARKS
    if not has_mark and first in _SINGLE_FRAMES and rest.isascii():
        # "Great walls of China" and "Hello world in Python" open no frame.
        is_followed = starts_question(words_of(rest[:80])) or _STRONG_FRAME.match(rest) or _FRAME.match(rest)
        return rest if is_followed else text
    return rest if len(words_of(rest[:80])) > 1 or not rest.isascii() else text


def _announces(head: str) -> bool:
    words = words_of(head)
    return (
        is_chatter(head)
        or _is_announcement(words)
        or (
            bool({"quick", "question", "topic", "subject", "one"} & {word.key for word in words})
            and not starts_question(words)
            and sum(word.is_content and word.key not in _POLITE_WORDS | _ANNOUNCEMENTS for word in words) == 0
        )
    )


def _without_instruction(text: str) -> str:
    """Return a sentence without an instruction after its last comma, as in ", answer in one sentence"."""
    head, mark, tail = text.rpartition(",")
    if not mark or len(tail) > 120 or not head:  # noqa: PLR2004
        return text
    words = words_of(tail)
    if words and words[0].key not in {"in", "if", "no"} and _is_instruction(words, tail):
        return head.rstrip() + ("?" if text.endswith("?") else "")
    return text
