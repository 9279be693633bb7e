"""Small talk: sentences around a question that have the form of a question or of a statement and no subject."""

import re
from typing import Final

_MAX_CHARACTERS: Final = 120

_QUESTION: Final = (
    " (?:a|one|another|something|some|more|quick|short|silly|stupid|different|other|else|questions?|things?)"
)
_SOMETHING: Final = (
    r" (?:something|smth|sth|one thing|a thing)(?: for me)?(?: (?:real|very) quick(?:ly)?| please| pls)*"
)
_DONE: Final = (
    "did|done|sent|fixed|booked|ordered|noted|saved|sorted|filed|printed|paid|settled|copied|written down|forwarded"
)
_REMARKS: Final = (
    # Before a question.
    (r"(?:may|can|could|might) i (?:please |just |quickly |also )*ask(?: you)?" rf"(?:{_QUESTION}){{0,4}}"),
    r"(?:do|would|have) you (?:have |got )?(?:a|one|two|some)? ?(?:more )?(?:minute|second|moment|time)s?(?: for me)?",
    r"(?:now,? )?where (?:was i|were we)",
    r"are you (?:there|ready|awake|still there)",
    r"(?:you )?(?:know|guess) what",
    (
        r"(?:i'm |i am )?not sure (?:if|whether) (?:you(?:'re| are)|this is) the right (?:one|place|person|chat)"
        r"(?: to ask| for (?:this|that))?"
    ),
    r"(?:could|can|would|will) (?:you|u) (?:please |pls |quickly |maybe )*(?:check|look up|do|answer|find out|help)"
    + _SOMETHING,
    r"let me (?:think|see|try)(?: (?:again|how to (?:put|say|ask) (?:this|that|it)))?",
    r"what i(?:'m| am|'d like| need| want| would like)[^?.]{0,40} (?:is|are) (?:this|twofold|two things|the following)",
    # After an answer.
    r"let(?:'s| us) leave (?:it|that) (?:there|at that)",
    r"that settles (?:it|that)(?: then)?",
    r"enough (?:of|about) (?:that|this)(?: for (?:now|today))?",
    r"i(?:'ll| will) (?:come|get) back to (?:it|that|this)(?: \w+){0,3}",
    r"(?:so )?that(?:'s| is) (?:all|it)(?: (?:on|about|for|with) (?:that|this|it))?(?: for (?:now|today))?",
    (
        r"(?:that(?:'s| is| was)|this is|it(?:'s| is)|all|i(?:'ve| have)?(?: just)?|just|already|ok|well)?"
        rf"\s*(?:{_DONE})(?: (?:that|it|them|this|all|down))*(?: (?:now|already|then))?"
    ),
    r"(?:i )?(?:got|get) (?:it|that)(?: now)?",
    r"(?:yes|no|yeah|right),? that(?:'s| is) (?:it|right|the one|what i (?:meant|wanted|needed))",
)
_SMALL_TALK: Final = re.compile(rf"(?:{'|'.join(_REMARKS)})[\s,.!?\u2026]*$", re.IGNORECASE)


def is_small_talk(sentence: str) -> bool:
    """Return whether a sentence only keeps a conversation going, as "May I ask you something?" and "That's done."."""
    stripped = sentence.strip()
    return len(stripped) <= _MAX_CHARACTERS and _SMALL_TALK.match(stripped) is not None
