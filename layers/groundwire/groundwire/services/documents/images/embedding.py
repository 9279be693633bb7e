"""Embedding of images' rows: their texts by the model of texts, their pictures by an image model where one is set.

The model of an index of images names both (`domain.search.joint_vectors`). An index whose model has no part for
pictures is searched by texts alone until `groundwire reindex` gives it one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from groundwire.domain.search.joint_vectors import JointModel
from groundwire.domain.search.model_languages import ALL_LANGUAGES, ModelLanguages
from groundwire.ports import Embedder, Embedders, ImageEmbedder, ModelId, SegmentInput, SegmentVectors, Vector
from groundwire_readers.contents.parsed import ParsedImage


def image_index_model(text: ModelId, image_embedder: ImageEmbedder | None) -> ModelId:
    """Return the model of a new index of images."""
    if image_embedder is None:
        return text
    joint = _joint(text, image_embedder.model)
    return ModelId(joint.name, joint.dimension)


class ImageTextEmbedders:
    """Embedders of images' texts: `for_model` takes the model of an index of images."""

    def __init__(self, embedders: Embedders, image_embedder: ImageEmbedder | None) -> None:
        self._embedders = embedders
        self._image_embedder = image_embedder

    def for_model(self, model: ModelId) -> Embedder:
        """Return the embedder of the index's rows and of questions about their texts.

        Raises:
            NotFound: this machine does not have the model of texts; the message tells how to install it.
        """
        joint = JointModel.parse(model.name)
        if joint is None:
            return self._embedders.for_model(model)
        return _TextPartEmbedder(joint, self._embedders.for_model(ModelId(joint.text_name, joint.text_dimension)))

    @property
    def default(self) -> Embedder:
        """Embedder of the rows of new tenants."""
        return self.for_model(image_index_model(self._embedders.default.model, self._image_embedder))


class PictureEmbedders:
    """Embedders of questions about pictures; `for_model` takes the model of an index of images."""

    def __init__(self, image_embedder: ImageEmbedder, model: ModelId) -> None:
        """Initialise; `model` is that of new indexes."""
        self._image_embedder = image_embedder
        self._model = model

    def for_model(self, model: ModelId) -> Embedder:
        """Return the embedder of questions about the pictures of the index, whose model has a part for them."""
        joint = JointModel.parse(model.name)
        if joint is None or not has_pictures_of(model, self._image_embedder):
            raise ValueError(f"{model.name} has no images of {self._image_embedder.model.name}")
        return _PicturePartEmbedder(joint, self._image_embedder)

    @property
    def default(self) -> Embedder:
        """Embedder of questions about the pictures of new tenants."""
        return self.for_model(self._model)


def has_pictures_of(model: ModelId, image_embedder: ImageEmbedder) -> bool:
    """Return whether rows of an index of this model have pictures that the image model embedded."""
    joint = JointModel.parse(model.name)
    model_of_pictures = image_embedder.model
    return joint is not None and joint.picture_model == (model_of_pictures.name, model_of_pictures.dimension)


def with_pictures(
    rows: Sequence[SegmentInput],
    images: Sequence[ParsedImage],
    model: ModelId,
    image_embedder: ImageEmbedder | None,
    stored: Mapping[str, SegmentVectors],
) -> list[SegmentInput]:
    """Return the rows of these images with the vectors of their pictures, where the index's model has a part for them.

    Args:
        rows: one per image, with the vectors of its texts.
        images: those without a thumbnail have no vector of their picture.
        model: model of the index.
        image_embedder: the configured image model; without it, or with another one, rows keep the pictures of `stored`.
        stored: vectors that the index has, by uid.
    """
    joint = JointModel.parse(model.name)
    if joint is None:
        return list(rows)
    blank = bytes(4 * joint.text_dimension)
    if image_embedder is None or not has_pictures_of(model, image_embedder):
        # Vectors of equal texts may come from a row of another picture.
        none = joint.row(blank, None)
        kept = {uid: vectors.passage for uid, vectors in stored.items()}
        return [_with_picture(joint, row, kept.get(row.segment.uid, none)) for row in rows]
    drawn = [image for image in images if image.thumbnail]
    vectors = dict(
        zip(
            (image.position for image in drawn),
            image_embedder.embed_images([image.thumbnail for image in drawn]) if drawn else (),
            strict=True,
        )
    )
    return [
        _with_picture(joint, row, joint.row(blank, vectors.get(image.position)))
        for row, image in zip(rows, images, strict=True)
    ]


def with_pictures_of(row: SegmentInput, before: Vector, model: ModelId, model_before: ModelId) -> SegmentInput:
    """Return a row that was embedded anew with the picture that its vector had before, if both models have that part.

    Args:
        row: row of `model`.
        before: vector of the same row in an index of `model_before`.
        model: model of the index of the row.
        model_before: model of the other index.
    """
    joint, joint_before = JointModel.parse(model.name), JointModel.parse(model_before.name)
    if joint is None or joint_before is None or joint.picture_model != joint_before.picture_model:
        return row
    return _with_picture(joint, row, before)


def _with_picture(joint: JointModel, row: SegmentInput, other: Vector) -> SegmentInput:
    """Return the row with another vector of its picture, also in its windows; the best window weighs most."""
    windows = tuple(joint.with_picture_of(each, other) for each in row.windows)
    return replace(row, vector=joint.with_picture_of(row.vector, other), windows=windows)


def _joint(text: ModelId, picture: ModelId) -> JointModel:
    return JointModel(text.name, text.dimension, picture.name, picture.dimension)


class _TextPartEmbedder:
    """Implements `ports.Embedder` for joint vectors, by their texts."""

    def __init__(self, joint: JointModel, embedder: Embedder) -> None:
        self._joint = joint
        self._embedder = embedder

    @property
    def model(self) -> ModelId:
        return ModelId(self._joint.name, self._joint.dimension)

    @property
    def languages(self) -> ModelLanguages:
        return self._embedder.languages

    def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> list[Vector]:
        vectors = self._embedder.embed(texts, kind)
        if kind == "query":
            return [self._joint.text_query(vector) for vector in vectors]
        return [self._joint.row(vector, None) for vector in vectors]


class _PicturePartEmbedder:
    """Implements `ports.Embedder` for joint vectors, by their pictures; it embeds questions only."""

    def __init__(self, joint: JointModel, image_embedder: ImageEmbedder) -> None:
        self._joint = joint
        self._image_embedder = image_embedder

    @property
    def model(self) -> ModelId:
        return ModelId(self._joint.name, self._joint.dimension)

    @property
    def languages(self) -> ModelLanguages:
        return ALL_LANGUAGES

    def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> list[Vector]:
        if kind != "query":
            raise ValueError("images are embedded from thumbnails, not from texts")
        return [self._joint.picture_query(vector) for vector in self._image_embedder.embed_queries(texts)]
