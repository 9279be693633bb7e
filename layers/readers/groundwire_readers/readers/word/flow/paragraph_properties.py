"""Properties of a paragraph that is being read: its style, its list, and its paragraph mark."""

from typing import Final

from groundwire_readers.readers.word.flow.items import Paragraph
from groundwire_readers.readers.word.part_walk import OpenElement
from groundwire_readers.readers.word.styles import NumberReference, WordStyles
from groundwire_readers.readers.word.word_elements import number_of

_DELETIONS: Final = ("w:del", "w:moveFrom")


def read_property(element: OpenElement, paragraph: Paragraph) -> None:
    """Take a property from an element of the paragraph; other elements have none."""
    parent = element.parent
    holder = None if parent is None else parent.parent
    if parent is None or holder is None:
        return
    if parent.tag == "w:pPr" and holder is paragraph.element:
        if element.tag == "w:pStyle":
            paragraph.style = element.value
        paragraph.ends_section |= element.tag == "w:sectPr"
    elif holder.tag != "w:pPr" or holder.parent is not paragraph.element:
        return
    elif parent.tag == "w:rPr":
        paragraph.is_deleted |= element.tag in ("w:del", "w:vanish") and element.is_on
        paragraph.continues |= element.tag in _DELETIONS
    elif element.tag == "w:numId" and parent.tag == "w:numPr":
        paragraph.number_id = element.value
    elif element.tag == "w:ilvl" and parent.tag == "w:numPr":
        paragraph.level = number_of(element.value)


def reference_of(paragraph: Paragraph, styles: WordStyles) -> NumberReference | None:
    """Return the reference of a paragraph to a list, its own or that of its style; None without one."""
    if paragraph.number_id:
        return NumberReference(paragraph.number_id, paragraph.level)
    found = styles.number_reference(paragraph.style)
    if found is None or paragraph.level is None:
        return found
    return NumberReference(found.number_id, paragraph.level)
