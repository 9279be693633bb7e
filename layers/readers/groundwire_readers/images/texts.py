"""Texts of an image: its caption by a figure word, the headings above it, and the text before and after it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from groundwire_readers.contents.limits import MAX_IMAGE_TEXT_CHARACTERS
from groundwire_readers.contents.parsed import Block, BlockKind
from groundwire_readers.text.normalisation import normalise

_FIGURE_WORDS: Final = (
    "figures?|fig|illustration|image|photo|photograph|picture|plate|chart|diagram|graph|map|exhibit|scheme|screenshot",
    "abbildung|abb|bild|grafik|diagramm|schema|karte|foto",
    "figura|ilustración|imagen|gráfico|gráfica|esquema|fotografía|ilustração|imagem|quadro",
    "schéma|graphique|carte|cliché|immagine|illustrazione|grafico|afbeelding|figuur|grafiek",
    "рисунок|рис|изображение|схема|фото|obrázek|obr|rysunek|rys|ilustracja|wykres|slika|ábra|kép",
    "kuva|kuvio|figur|bilde|şekil|resim|εικόνα|σχήμα|διάγραμμα",
    "図|圖|图|写真|그림|사진|شكل|صورة|איור|תמונה|चित्र|รูปที่|hình",
)
"""Words that begin a caption, in lower case, a group of languages per line."""
_FIGURE: Final = re.compile(
    rf"(?:{'|'.join(_FIGURE_WORDS)})\.?\s*(?:n[or.º°]+\s*)?(?:\d[\d.\-]*|[ivx]+\b|[a-z]\b[.\-]?\d*)[.:)\-\u2013]?",
    re.IGNORECASE,
)
_SEPARATORS: Final = (".", ":", ")", "-", "\u2013")
_CAPTION_CHARACTERS: Final = 600
"""Length of a paragraph that can be a caption; a longer one is text that begins by naming a figure."""
_SENTENCE_ENDS: Final = (".", "!", "?", "。", "…")
_NEARBY_CHARACTERS: Final = 600
"""Length of the text on each side."""


_WORD: Final = re.compile(r"[^\W\d_]{3,}|\d{2,}|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]{2,}")
_WORD_SHARE: Final = 0.5
"""Share of the characters of a recognised text that belong to words; in noise most are single signs."""


@dataclass(frozen=True, slots=True)
class ImageTexts:
    """Normalised texts that the document has for one image; each is empty if it is missing."""

    caption: str = ""
    alt_text: str = ""
    nearby_text: str = ""


def clean_text(text: str) -> str:
    """Return the normalised text, limited in length."""
    return normalise(text[: 4 * MAX_IMAGE_TEXT_CHARACTERS])[:MAX_IMAGE_TEXT_CHARACTERS].rstrip()


def clean_lines(lines: Sequence[str]) -> str:
    """Return the normalised lines that are not empty, limited in length together."""
    text = "\n".join(filter(None, (normalise(line[: 4 * MAX_IMAGE_TEXT_CHARACTERS]) for line in lines)))
    return text[:MAX_IMAGE_TEXT_CHARACTERS].rstrip()


def join_texts(*texts: str) -> str:
    """Return the different texts among these, such as alternative text and title, as one."""
    joined = ""
    for text in dict.fromkeys(clean_text(one) for one in texts if clean_text(one)):
        joined += text if not joined else f"{'' if joined.endswith(_SENTENCE_ENDS) else '.'} {text}"
    return clean_text(joined)


def without_noise(recognised: str) -> str:
    """Return a recognised text; empty when it is the noise that recognition makes of photographs."""
    characters = sum(not character.isspace() for character in recognised)
    return recognised if sum(map(len, _WORD.findall(recognised))) >= _WORD_SHARE * max(characters, 1) else ""


def is_caption(block: Block) -> bool:
    """Return whether the block begins like the caption of a figure, and not like a sentence about one."""
    if block.kind in (BlockKind.TABLE, BlockKind.CODE) or len(block.text) > _CAPTION_CHARACTERS:
        return False
    label = _FIGURE.match(block.text)
    if label is None:
        return False
    # "Figure 3 shows" begins a sentence, "Figure 3 Sales" and "Figure 3: sales" begin a caption.
    return label[0].endswith(_SEPARATORS) or not block.text[label.end() :].lstrip()[:1].islower()


def path_below(path: Sequence[Block], heading: Block) -> tuple[Block, ...]:
    """Return the headings above what follows this heading, outermost first, given those above the heading."""
    return (*(above for above in path if above.level < heading.level), heading)


def nearby_text(path: Sequence[Block], before: str, after: str) -> str:
    """Return a line of headings, the end of the text before the image and the beginning of the text after it."""
    return clean_lines([" > ".join(heading.text for heading in path), _tail(before), _head(after)])


def _head(text: str) -> str:
    return text if len(text) <= _NEARBY_CHARACTERS else f"{text[:_NEARBY_CHARACTERS].rpartition(' ')[0]} …"


def _tail(text: str) -> str:
    return text if len(text) <= _NEARBY_CHARACTERS else f"… {text[-_NEARBY_CHARACTERS:].partition(' ')[2]}"


def page_text(blocks: Sequence[Block]) -> str:
    """Return the headings of a page or slide and the beginning of its other text."""
    headings = [block for block in blocks if block.kind is BlockKind.HEADING]
    others = " ".join(block.text for block in blocks if block.kind is not BlockKind.HEADING and not is_caption(block))
    return nearby_text(headings, "", others)
