"""Reading of the words of a page's text layer, each with the style in which it is drawn."""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from groundwire_readers.readers.pdf import pdfium
from groundwire_readers.readers.pdf.page_content import PageBox, PageWord
from groundwire_readers.readers.pdf.text_layer.character_boxes import Box, CharacterBoxes
from groundwire_readers.readers.pdf.text_layer.glyph_codes import (
    BULLET_CODE,
    UNKNOWN,
    GlyphCodes,
    character_of,
    text_shift,
    word_of,
)
from groundwire_readers.readers.pdf.text_layer.right_to_left import (
    SPACE,
    Glyph,
    changes_direction,
    is_right_to_left,
    lines_of_glyphs,
    logical_parts,
    most_are_right_to_left,
)
from groundwire_readers.readers.pdf.text_layer.strikes import Strikes
from groundwire_readers.readers.pdf.text_layer.text_codes import TextCodes, is_space
from groundwire_readers.readers.pdf.text_layer.text_style import StyleReader, TextStyle, is_note_mark, position_in
from groundwire_readers.readers.pdf.transform import Transform

_MAX_CHARACTERS: Final = 1_000_000
"""Maximum number of characters that are read of a page."""
_LINE_BREAKS: Final = (10, 13)
_FIRST_COMBINING_MARK: Final = 0x300
"""First code point of the combining diacritical marks."""
_FIRST_IDEOGRAPH: Final = 0x2E80
_TOUCHING_GAP: Final = 0.1
"""Maximum gap at which a letter touches the word before it, in font sizes."""
_WORD_GAP: Final = 0.3
"""Gap that separates words although the text layer has no space there, in font sizes."""
_TIGHT_WORD_GAP: Final = 0.15
"""Gap that separates words whose letters are set without gaps, in font sizes."""
_MAX_TIGHT_GAP: Final = 0.03
"""Maximum gap between letters that counts as none, in font sizes: letter-spaced text has wider ones."""
_BACK_STEP: Final = 0.6
"""Step backwards that separates words, in font sizes."""
_LINE_STEP: Final = 0.6
"""Vertical step that separates words, in font sizes."""


@dataclass(frozen=True, slots=True)
class DrawnWord:
    """A word with its style; `lost` is the number of its glyph codes without a known character."""

    word: PageWord
    style: TextStyle
    lost: int = 0


def read_words(
    page: int, to_display: Transform, clips: Mapping[int, PageBox], strikes: Strikes | None = None
) -> list[DrawnWord]:
    """Return all words of the text layer, hidden ones included, in its order and in displayed positions.

    Struck letters are left out, as if there were spaces. The clip boxes are those of text objects by their handles.
    """
    library = pdfium.load_library()
    text = library.FPDFText_LoadPage(page)
    if text is None:
        return []
    try:
        codes = GlyphCodes()
        words = _WordReader(text, to_display, codes, clips, strikes).read()
        shift = text_shift(codes.unmapped)
        return words if shift is None else _WordReader(text, to_display, GlyphCodes(shift), clips, strikes).read()
    finally:
        library.FPDFText_ClosePage(text)


class _WordReader:
    """Reader of a text layer, which groups its characters into words in one pass."""

    def __init__(
        self,
        text: int,
        to_display: Transform,
        codes: GlyphCodes,
        clips: Mapping[int, PageBox],
        strikes: Strikes | None,
    ) -> None:
        self._library = pdfium.load_library()
        self._text = text
        self._codes = TextCodes(text, codes)
        self._clips = clips
        self._strikes = strikes
        self._boxes = CharacterBoxes(text, to_display)
        self._styles = StyleReader(text, to_display)
        self._words: list[DrawnWord] = []
        self._characters: list[str] = []
        self._positions: dict[int, str] = {}
        self._base = 0.0
        self._start = 0
        self._style: TextStyle | None = None
        self._left = self._top = self._right = self._bottom = 0.0
        self._widest_gap = 0.0
        self._is_guessed = False
        self._mark = ""
        self._lost_of_word = 0
        self._lines = self._line = 0

    def read(self) -> list[DrawnWord]:
        """Return the words."""
        count = min(int(self._library.FPDFText_CountChars(self._text)), _MAX_CHARACTERS)
        codes = list(map(self._codes.of, range(count)))
        if any(map(is_right_to_left, codes)):
            self._read_both_directions(codes)
        else:
            self._read_characters(codes, 0, count)
        self._end_word()
        return self._words

    def _read_characters(self, codes: Sequence[int], start: int, end: int) -> None:
        for index in range(start, end):
            code = codes[index]
            if is_space(code):
                # PDFium guesses line breaks: it puts one before each raised letter, and between all letters of a page
                # that it takes for vertical. The places of the letters decide instead.
                self._is_guessed = code in _LINE_BREAKS and self._library.FPDFText_IsGenerated(self._text, index) == 1
                if not self._is_guessed:
                    self._end_word(index)
            elif code >= _FIRST_COMBINING_MARK and unicodedata.combining(chr(code)):
                self._add_mark(chr(code))
            elif (style := self._style_of(index)) is not None and (box := self._boxes.of(index, style)) is not None:
                if self._is_struck(box):
                    self._end_word()
                else:
                    self._add(index, code, style, box)

    def _is_struck(self, box: Box) -> bool:
        return self._strikes is not None and self._strikes.has(PageBox(*box))

    def _read_both_directions(self, codes: Sequence[int]) -> None:
        """Read a page with right-to-left letters; its lines without any keep the order of the text layer."""
        glyphs = [
            Glyph(index, SPACE if is_space(code) or self._is_struck(box) else character_of(code), style, box)
            for index, code in enumerate(codes)
            if (style := self._style_of(index)) is not None and (box := self._boxes.of(index, style)) is not None
        ]
        is_page_right_to_left = most_are_right_to_left("".join(glyph.character for glyph in glyphs))
        start = 0
        for line in lines_of_glyphs(glyphs):
            end = line[-1].index + 1
            if any(is_right_to_left(codes[glyph.index]) for glyph in line):
                self._end_word()
                for part in logical_parts(line, is_page_right_to_left=is_page_right_to_left):
                    self._add_part(part)
            else:
                self._read_characters(codes, start, end)
            start = end

    def _add_part(self, part: Sequence[Glyph | None]) -> None:
        """Add the words of a part of a line, which is in logical order."""
        self._lines += 1
        self._line = self._lines
        # The words of a cell are sorted by their indexes, which PDFium gives in its own order.
        indexes = iter(sorted(glyph.index for glyph in part if glyph is not None))
        for glyph in part:
            if glyph is None or (self._characters and self._is_other_word(glyph)):
                self._end_word()
            if glyph is not None:
                self._extend(next(indexes), glyph.character + glyph.marks, glyph.style, glyph.box)
        self._end_word()
        self._line = 0

    def _is_other_word(self, glyph: Glyph) -> bool:
        is_other_style = self._style is not None and self._style.mode != glyph.style.mode
        return is_other_style or changes_direction(self._characters[-1][-1], glyph.character[0])

    def _style_of(self, index: int) -> TextStyle | None:
        handle = self._library.FPDFText_GetTextObject(self._text, index)
        return None if handle is None else self._styles.styles.get(handle) or self._styles.read(handle, index)

    def _add(self, index: int, code: int, style: TextStyle, box: Box) -> None:
        if self._mark and not self._characters:
            self._reopen_word(style, *box)
        if self._characters and self._is_separate(code, style, box):
            self._end_word()
        if code in (UNKNOWN, BULLET_CODE) and self._boxes.has_dash_shape(index, style):
            code = ord("-")
        self._extend(index, character_of(code), style, box)

    def _extend(self, index: int, character: str, style: TextStyle, box: Box) -> None:
        left, top, right, bottom = box
        if not self._characters:
            self._start, self._style, self._base = index, style, bottom
            self._left, self._top, self._right, self._bottom = box
            self._widest_gap = 0.0
        else:
            self._widest_gap = max(self._widest_gap, left - self._right, self._left - right)
            self._left, self._top = min(self._left, left), min(self._top, top)
            self._right, self._bottom = max(self._right, right), max(self._bottom, bottom)
        self._lost_of_word += index in self._codes.lost
        self._append(character, style, bottom)
        self._is_guessed = False

    def _append(self, character: str, style: TextStyle, bottom: float) -> None:
        if self._style is not None and (mark := position_in(self._style, style, self._base - bottom)):
            self._positions[len(self._characters)] = mark
        self._characters.append(character)
        if self._mark:
            self._characters.append(self._mark)
            self._mark = ""

    def _add_mark(self, mark: str) -> None:
        """Append a combining mark to its letter; a mark before its letter is kept until the letter comes."""
        if self._characters:
            self._characters.append(mark)
        else:
            self._mark = mark

    def _reopen_word(self, style: TextStyle, left: float, top: float, right: float, bottom: float) -> None:
        """Continue the last word if the letter touches it: some programs write a space before a combining mark."""
        last = self._words[-1] if self._words else None
        if last is None or last.style.angle != style.angle:
            return
        box = last.word.box
        gap = max(left - box.right, box.left - right)
        if gap <= _TOUCHING_GAP * style.size and top < box.bottom and bottom > box.top:
            self._words.pop()
            self._lost_of_word += last.lost
            self._characters, self._start, self._style = list(last.word.text), last.word.position, last.style
            self._left, self._top, self._right, self._bottom = box.left, box.top, box.right, box.bottom

    def _is_separate(self, code: int, style: TextStyle, box: Box) -> bool:
        """Return whether style, line or gap separate the character from the current word."""
        left, top, right, bottom = box
        current = self._style
        if current is None or style.angle != current.angle or style.mode != current.mode:
            return True
        # A leader that a browser cuts off runs on, unseen, up to the figure behind it.
        is_cut = self._clips and not self._is_within(current, box) and self._is_within(style, box)
        size = max(current.size, style.size, 1.0)
        if style.angle in (90, 270):
            return not (left < self._right and right > self._left and self._gap_y(top, bottom) <= _WORD_GAP * size)
        if is_cut or is_note_mark(current, style, self._base - bottom, self._characters):
            return True
        middle = (top + bottom) / 2
        if not self._top - _LINE_STEP * size / 2 <= middle <= self._bottom + _LINE_STEP * size / 2:
            return True
        if self._is_guessed and style.angle == 0 and left < self._right - _BACK_STEP * size:
            return True
        gap = max(left - self._right, self._left - right)
        pair = self._characters[-1] + chr(code)
        is_tight = self._widest_gap <= _MAX_TIGHT_GAP * size
        if is_tight and unicodedata.category(pair[-1]) == "Sc":
            # The currency of a cell may be close to the number in the cell before.
            gap += (_WORD_GAP - _TOUCHING_GAP) * size
        is_tight = is_tight and len(self._characters) > 1
        if self._is_guessed or (is_tight and code < _FIRST_IDEOGRAPH and pair.isalpha()):
            gap += (_WORD_GAP - _TIGHT_WORD_GAP) * size
        return gap > _WORD_GAP * size or (style.angle == 0 and right < self._left - _BACK_STEP * size)

    def _is_within(self, style: TextStyle, box: Box) -> bool:
        clip = self._clips.get(style.handle)
        return clip is None or clip.contains_centre_of(PageBox(*box))

    def _gap_y(self, top: float, bottom: float) -> float:
        return max(top - self._bottom, self._top - bottom)

    def _end_word(self, space: int = -1) -> None:
        """End the current word; `space` is the index of the space after it, -1 at the end."""
        if not self._characters or self._style is None:
            return
        style = self._style
        is_korean = "\uac00" <= self._characters[-1] <= "\ud7a3"
        is_before_space = not is_korean or (space >= 0 and not self._library.FPDFText_IsGenerated(self._text, space))
        text = word_of(self._characters, self._positions)
        box = PageBox(self._left, self._top, self._right, self._bottom)
        word = PageWord(
            text,
            box,
            self._start,
            style.size,
            style.is_bold,
            style.font,
            style.is_monospaced,
            style.angle,
            is_before_space,
            self._line,
        )
        self._words.append(DrawnWord(word, style, self._lost_of_word))
        self._lost_of_word = 0
        self._characters, self._positions = [], {}
