"""Image embedder with ONNX Runtime on the CPU: texts and thumbnails to unit vectors of one space."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from groundwire.adapters.onnx.images.model_files import ImageModelFiles, read_image_model
from groundwire.adapters.onnx.images.pixels import pixel_values
from groundwire.adapters.onnx.inference.batches import batches_by_length
from groundwire.adapters.onnx.inference.pooling import truncate_and_normalise
from groundwire.adapters.onnx.inference.session import GraphSession, InputFeed, graph_errors, open_session
from groundwire.adapters.onnx.inference.tokenizer import EncodedInput, ModelTokenizer, TokenBatch
from groundwire.domain.errors import InvalidInput
from groundwire.ports import ModelId, Vector
from groundwire_readers.contents.parsed import THUMBNAIL_BYTES

_TEXT_INPUTS: Final = frozenset({"input_ids", "attention_mask"})
_VISION_INPUTS: Final = frozenset({"pixel_values"})
_PROJECTED: Final = ("text_embeds", "image_embeds")
"""Outputs of the towers of a model whose vectors share one space after a projection."""
_POOLED: Final = "pooler_output"
"""Output of both towers of a model without a projection, such as SigLIP."""
_IMAGES_PER_CALL: Final = 8
"""Thumbnails of one call of the graph; a larger batch needs more memory and is no faster."""
_RANK: Final = 2


class _Tower:
    """One graph of the model, from its inputs to one vector for each of them."""

    def __init__(self, graph: Path, inputs: frozenset[str], outputs: Sequence[str], threads: int) -> None:
        """Open the graph; it must have the inputs (a mask is optional) and one of the outputs, the first preferred."""
        self._graph = graph
        with graph_errors(graph):
            self._session: GraphSession = open_session(graph, threads)
        self.inputs = {each.name for each in self._session.get_inputs()}
        if wrong := sorted(self.inputs - inputs) or sorted(inputs - {"attention_mask"} - self.inputs):
            raise InvalidInput(f"{graph} does not read {wrong[0]} as one tower does: export both towers as two graphs.")
        given = [each.name for each in self._session.get_outputs()]
        found = [name for name in outputs if name in given]
        if not found:
            raise InvalidInput(f"{graph} gives {', '.join(given)}, not {outputs[0]}: export it with its projection.")
        self.output = found[0]

    def run(self, arrays: InputFeed) -> NDArray[np.float32]:
        """Return the unit vectors of a batch, [batch, dimension]; inputs that the graph does not have are left out."""
        feed = {name: array for name, array in arrays.items() if name in self.inputs}
        with graph_errors(self._graph):
            (found,) = self._session.run([self.output], feed)
        vectors = found.astype(np.float32, copy=False)
        count = len(next(iter(arrays.values())))
        if vectors.ndim != _RANK or len(vectors) != count or not np.isfinite(vectors).all():
            raise InvalidInput(
                f"{self._graph} gives {vectors.shape} for {count} inputs, or values that are no numbers."
            )
        return truncate_and_normalise(vectors, vectors.shape[1])


class OnnxImageEmbedder:
    """Embedder of images; implements `ports.ImageEmbedder`, safe to share between threads."""

    def __init__(self, files: ImageModelFiles, threads: int) -> None:
        """Load both towers, and check by one run of each that their vectors have one dimension.

        Raises:
            InvalidInput: a file is no graph or tokenizer that can be used.
            Unavailable: a library is missing.
        """
        self._files = files
        self._tokenizer = ModelTokenizer(files.tokenizer_file, files.tokenizer)
        text_outputs, image_outputs = ((name,) if files.is_clip else (name, _POOLED) for name in _PROJECTED)
        self._text_tower = _Tower(files.text_graph, _TEXT_INPUTS, text_outputs, threads)
        self._vision_tower = _Tower(files.vision_graph, _VISION_INPUTS, image_outputs, threads)
        # SigLIP was trained with texts that fill the window, and has no mask for the rest.
        self._fills_window = not files.is_clip and "attention_mask" not in self._text_tower.inputs
        (query,), (image,) = self.embed_queries(["image"]), self.embed_images([bytes(THUMBNAIL_BYTES)])
        outputs = (self._text_tower.output, self._vision_tower.output)
        if len(query) != len(image) or (_POOLED in outputs and outputs != (_POOLED, _POOLED)):
            raise InvalidInput(
                f"{files.text_graph} gives {len(query) // 4} values ({outputs[0]}) and {files.vision_graph} "
                f"{len(image) // 4} ({outputs[1]}): export both towers of one model, with their projections."
            )
        self._model = ModelId(files.name, len(query) // 4)

    @property
    def model(self) -> ModelId:
        """Name and digest of the model that makes these vectors, and their dimension."""
        return self._model

    def embed_queries(self, texts: Sequence[str]) -> list[Vector]:
        """Return one vector per text, in order; a text without a word gets one too."""
        encoded = self._tokenizer.encode_texts(texts)
        vectors: list[Vector] = [b""] * len(encoded)
        for indexes in batches_by_length([len(each.ids) for each in encoded]):
            batch = self._padded([encoded[index] for index in indexes])
            found = self._text_tower.run({"input_ids": batch.ids, "attention_mask": batch.mask})
            for index, vector in zip(indexes, found, strict=True):
                vectors[index] = vector.tobytes()
        return vectors

    def embed_images(self, thumbnails: Sequence[bytes]) -> list[Vector]:
        """Return one vector per thumbnail, in order.

        Raises:
            InvalidInput: a thumbnail is not of THUMBNAIL_BYTES bytes.
        """
        batches = [
            thumbnails[start : start + _IMAGES_PER_CALL] for start in range(0, len(thumbnails), _IMAGES_PER_CALL)
        ]
        return [
            vector.tobytes()
            for batch in batches
            for vector in self._vision_tower.run({"pixel_values": pixel_values(batch, self._files.pixels)})
        ]

    def _padded(self, encoded: Sequence[EncodedInput]) -> TokenBatch:
        batch = self._tokenizer.pad_batch(encoded)
        if not self._fills_window:
            return batch
        columns = ((0, 0), (0, self._files.tokenizer.max_tokens - batch.ids.shape[1]))
        return TokenBatch(
            np.pad(batch.ids, columns, constant_values=self._files.tokenizer.padding_id),
            np.pad(batch.mask, columns),
            np.pad(batch.type_ids, columns),
        )


def load_image_embedder(folder: Path, threads: int) -> OnnxImageEmbedder:
    """Load the image model in `folder` after checking its files; each call uses `threads` threads.

    Raises:
        NotFound: there is no such folder.
        InvalidInput: a file is missing or cannot be used; the message tells what to do.
        Unavailable: a library is missing.
    """
    return OnnxImageEmbedder(read_image_model(folder), threads)
