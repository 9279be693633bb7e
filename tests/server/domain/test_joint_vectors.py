"""Joint vectors: each part is found by its own questions, in the order and nearly at the cosine of its own model."""

import math
from array import array

from hypothesis import given
from hypothesis import strategies as st

from groundwire.domain.search.joint_vectors import PICTURE_WEIGHT, TEXT_WEIGHT, JointModel, text_model_name

JOINT = JointModel("maker/texts@v1/4/f32", 4, "clip-0123456789ab", 3)


def units(dimension: int) -> st.SearchStrategy[bytes]:
    numbers = st.floats(-1, 1, width=32).filter(lambda value: abs(value) > 0.01)
    return st.lists(numbers, min_size=dimension, max_size=dimension).map(unit)


def unit(values: list[float]) -> bytes:
    length = math.sqrt(math.fsum(value * value for value in values))
    return array("f", [value / length for value in values]).tobytes()


def cosine(first: bytes, second: bytes) -> float:
    return math.fsum(one * other for one, other in zip(array("f", first), array("f", second), strict=True))


@given(units(4), units(3) | st.none())
def test_a_row_has_unit_length_and_the_dimension_of_the_model(text: bytes, picture: bytes | None) -> None:
    row = JOINT.row(text, picture)
    assert len(row) == 4 * JOINT.dimension
    assert math.isclose(cosine(row, row), 1.0, abs_tol=1e-5)


@given(units(4), units(3) | st.none(), units(4))
def test_a_question_about_texts_meets_the_text_alone(text: bytes, picture: bytes | None, question: bytes) -> None:
    found = cosine(JOINT.row(text, picture), JOINT.text_query(question))
    assert math.isclose(found, TEXT_WEIGHT * cosine(text, question), abs_tol=1e-5)


@given(units(4), units(3), units(3))
def test_a_question_about_pictures_meets_the_picture_alone(text: bytes, picture: bytes, question: bytes) -> None:
    found = cosine(JOINT.row(text, picture), JOINT.picture_query(question))
    assert math.isclose(found, PICTURE_WEIGHT * cosine(picture, question), abs_tol=1e-5)
    assert cosine(JOINT.row(text, None), JOINT.picture_query(question)) == 0.0


@given(units(4), units(3) | st.none(), units(4), units(3) | st.none())
def test_a_picture_moves_from_one_row_to_another(
    text: bytes, picture: bytes | None, other_text: bytes, other: bytes | None
) -> None:
    assert JOINT.with_picture_of(JOINT.row(text, picture), JOINT.row(other_text, other)) == JOINT.row(text, other)


def test_the_name_of_joint_vectors_names_both_models() -> None:
    assert JointModel.parse(JOINT.name) == JOINT
    assert text_model_name(JOINT.name) == "maker/texts@v1/4/f32"


def test_the_name_of_one_model_names_no_other() -> None:
    for name in ("all-MiniLM-L6-v2-int8", "maker/other@v1/48/f32", "a + b", ""):
        assert JointModel.parse(name) is None
        assert text_model_name(name) == name
