"""Headings are found with their numbers, each once; titles by their words."""

from bench.reading.headings import headings_found, is_title
from bench.reading.share import Share


def test_a_heading_is_found_by_its_words_and_its_number() -> None:
    expected = ["1 Purpose", "1.1. Scope", "Annex"]
    found, real = headings_found(expected, ["1. Purpose", "1.1 Scope", "Annex", "Page 3 of 5"])
    assert (found, real) == (Share(3, 3), Share(3, 4))


def test_a_heading_whose_number_is_lost_or_another_is_not_found() -> None:
    found, _ = headings_found(["2.1.1 Purpose", "2.2 Purpose"], ["Purpose", "2.1.2 Purpose"])
    assert found == Share(0, 2)


def test_an_outline_without_numbers_is_found_in_headings_with_numbers() -> None:
    assert headings_found(["Holdings"], ["1.1 Holdings"])[0] == Share(1, 1)


def test_a_number_after_its_heading_is_one_before_it() -> None:
    assert headings_found(["Purpose 1"], ["1. Purpose"])[0] == Share(1, 1)
    assert headings_found(["Purpose 1"], ["Purpose"])[0] == Share(0, 1)


def test_a_heading_is_found_as_often_as_it_is_there() -> None:
    assert headings_found(["Rationale", "Rationale"], ["Rationale"])[0] == Share(1, 2)


def test_the_first_line_of_a_numbered_heading_finds_it_whole() -> None:
    assert headings_found(["5.5 Cache for"], ["5.5 Cache for applications"])[0] == Share(1, 1)
    assert headings_found(["Cache for"], ["Cache for applications"])[0] == Share(0, 1)


def test_a_title_is_right_when_nearly_all_words_are_there() -> None:
    assert is_title("Filesystem Hierarchy Standard", "FILESYSTEM HIERARCHY STANDARD 3.0")
    assert not is_title("Filesystem Hierarchy Standard", "SIGNATURE PAGE")
    assert not is_title("Filesystem Hierarchy Standard", None)
