"""Comments and tags that do not end cost no time beyond the length of the page, and hide nothing before them."""

import pytest

from groundwire_readers.dispatch import read_document

_SIGNS = ["<a ", "<!--", "<a b='", "</a ", "<!x ", "<?x ", "<![CDATA["]


# Without the check before the tokeniser, each of these pages takes many minutes.
@pytest.mark.parametrize("end", ["", ">", "</script>"])
@pytest.mark.parametrize("sign", _SIGNS)
def test_signs_that_open_without_end_are_read_in_time(sign: str, end: str) -> None:
    content = f"<p>The quay is closed.</p>{sign * 20_000}{end}".encode()
    assert read_document(content, "html").blocks[0].text.startswith("The quay is closed.")


def test_a_page_goes_on_after_a_script_with_the_sign_of_a_comment() -> None:
    content = b"<p>one</p><script>if (a<!--b) c()</script><p>two</p>"
    assert [block.text for block in read_document(content, "html").blocks] == ["one", "two"]


def test_text_after_a_comment_without_end_is_left_out_as_in_browsers() -> None:
    content = b"<p>one</p><!-- a --><p>two</p><!-- three <p>four</p>"
    assert [block.text for block in read_document(content, "html").blocks] == ["one", "two"]
