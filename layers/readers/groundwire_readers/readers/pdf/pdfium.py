"""ctypes binding of the PDFium functions that the reader uses; handles are addresses, None for no object.

The shared library of the package `pypdfium2_raw` is loaded directly: the package's own binding has no types, and
wraps each address in an object.
"""

import ctypes
import sys
from ctypes import POINTER, c_double, c_float, c_int, c_size_t, c_uint, c_ulong, c_void_p
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final, cast

# Constants of PDFium's headers fpdf_edit.h and fpdfview.h.
OBJECT_TEXT: Final = 1
OBJECT_PATH: Final = 2
OBJECT_IMAGE: Final = 3
OBJECT_SHADING: Final = 4
OBJECT_FORM: Final = 5
SEGMENT_LINE: Final = 0
SEGMENT_BEZIER: Final = 1
SEGMENT_MOVE: Final = 2
ERROR_PASSWORD: Final = 4
ERROR_SECURITY: Final = 5


class Rectangle(ctypes.Structure):
    """PDFium's `FS_RECTF`: a rectangle in page coordinates, in points from the lower left corner."""

    _fields_ = (("left", c_float), ("top", c_float), ("right", c_float), ("bottom", c_float))
    left: float
    top: float
    right: float
    bottom: float


class Matrix(ctypes.Structure):
    """PDFium's `FS_MATRIX`: the affine transformation x' = a x + c y + e, y' = b x + d y + f."""

    _fields_ = tuple((name, c_float) for name in "abcdef")
    a: float
    b: float
    c: float
    d: float
    e: float
    f: float


class FormFillInfo(ctypes.Structure):
    """PDFium's `FPDF_FORMFILLINFO` without callbacks: no action, script or request has any effect."""

    # More slots than any version has callbacks: PDFium reads as many as the version defines.
    _fields_ = (("version", c_int), ("callbacks", c_void_p * 64))
    version: int


_HANDLE: Final = c_void_p
_FLOATS: Final = (POINTER(c_float),) * 4
_UINTS: Final = (POINTER(c_uint),) * 4

_FUNCTIONS: Final[dict[str, tuple[object, tuple[object, ...]]]] = {
    "FPDF_InitLibrary": (None, ()),
    "FPDF_LoadMemDocument64": (_HANDLE, (ctypes.c_char_p, c_size_t, ctypes.c_char_p)),
    "FPDF_CloseDocument": (None, (_HANDLE,)),
    "FPDF_GetLastError": (c_ulong, ()),
    "FPDF_GetPageCount": (c_int, (_HANDLE,)),
    "FPDF_LoadPage": (_HANDLE, (_HANDLE, c_int)),
    "FPDF_ClosePage": (None, (_HANDLE,)),
    "FPDF_GetPageWidthF": (c_float, (_HANDLE,)),
    "FPDF_GetPageHeightF": (c_float, (_HANDLE,)),
    "FPDF_GetPageBoundingBox": (c_int, (_HANDLE, POINTER(Rectangle))),
    "FPDF_GetMetaText": (c_ulong, (_HANDLE, ctypes.c_char_p, c_void_p, c_ulong)),
    "FPDF_RenderPageBitmap": (None, (_HANDLE, _HANDLE, *((c_int,) * 6))),
    "FPDFBitmap_CreateEx": (_HANDLE, (c_int, c_int, c_int, c_void_p, c_int)),
    "FPDFBitmap_FillRect": (None, (_HANDLE, *((c_int,) * 4), c_ulong)),
    "FPDFBitmap_GetBuffer": (c_void_p, (_HANDLE,)),
    "FPDFBitmap_GetStride": (c_int, (_HANDLE,)),
    "FPDFBitmap_Destroy": (None, (_HANDLE,)),
    "FPDFPage_GetRotation": (c_int, (_HANDLE,)),
    "FPDFPage_CountObjects": (c_int, (_HANDLE,)),
    "FPDFPage_GetObject": (_HANDLE, (_HANDLE, c_int)),
    "FPDFText_LoadPage": (_HANDLE, (_HANDLE,)),
    "FPDFText_ClosePage": (None, (_HANDLE,)),
    "FPDFText_CountChars": (c_int, (_HANDLE,)),
    "FPDFText_GetUnicode": (c_uint, (_HANDLE, c_int)),
    "FPDFText_GetTextObject": (_HANDLE, (_HANDLE, c_int)),
    "FPDFText_HasUnicodeMapError": (c_int, (_HANDLE, c_int)),
    "FPDFText_IsHyphen": (c_int, (_HANDLE, c_int)),
    "FPDFText_GetCharOrigin": (c_int, (_HANDLE, c_int, POINTER(c_double), POINTER(c_double))),
    "FPDFText_IsGenerated": (c_int, (_HANDLE, c_int)),
    "FPDFText_GetFontSize": (c_double, (_HANDLE, c_int)),
    "FPDFText_GetFontInfo": (c_ulong, (_HANDLE, c_int, c_void_p, c_ulong, POINTER(c_int))),
    "FPDFText_GetFontWeight": (c_int, (_HANDLE, c_int)),
    "FPDFText_GetFillColor": (c_int, (_HANDLE, c_int, *_UINTS)),
    "FPDFText_GetMatrix": (c_int, (_HANDLE, c_int, POINTER(Matrix))),
    "FPDFText_GetLooseCharBox": (c_int, (_HANDLE, c_int, POINTER(Rectangle))),
    "FPDFText_GetCharBox": (c_int, (_HANDLE, c_int, *((POINTER(c_double),) * 4))),
    "FPDFTextObj_GetFont": (_HANDLE, (_HANDLE,)),
    "FPDFTextObj_GetTextRenderMode": (c_int, (_HANDLE,)),
    "FPDFPageObj_GetType": (c_int, (_HANDLE,)),
    "FPDFPageObj_GetBounds": (c_int, (_HANDLE, *_FLOATS)),
    "FPDFPageObj_GetMatrix": (c_int, (_HANDLE, POINTER(Matrix))),
    "FPDFPageObj_GetFillColor": (c_int, (_HANDLE, *_UINTS)),
    "FPDFPageObj_GetStrokeColor": (c_int, (_HANDLE, *_UINTS)),
    "FPDFPageObj_GetStrokeWidth": (c_int, (_HANDLE, POINTER(c_float))),
    "FPDFPageObj_HasTransparency": (c_int, (_HANDLE,)),
    "FPDFPageObj_GetClipPath": (_HANDLE, (_HANDLE,)),
    "FPDFClipPath_CountPaths": (c_int, (_HANDLE,)),
    "FPDFClipPath_CountPathSegments": (c_int, (_HANDLE, c_int)),
    "FPDFClipPath_GetPathSegment": (_HANDLE, (_HANDLE, c_int, c_int)),
    "FPDFPath_GetDrawMode": (c_int, (_HANDLE, POINTER(c_int), POINTER(c_int))),
    "FPDFPath_CountSegments": (c_int, (_HANDLE,)),
    "FPDFPath_GetPathSegment": (_HANDLE, (_HANDLE, c_int)),
    "FPDFPathSegment_GetPoint": (c_int, (_HANDLE, POINTER(c_float), POINTER(c_float))),
    "FPDFPathSegment_GetType": (c_int, (_HANDLE,)),
    "FPDFPathSegment_GetClose": (c_int, (_HANDLE,)),
    "FPDFFormObj_CountObjects": (c_int, (_HANDLE,)),
    "FPDFFormObj_GetObject": (_HANDLE, (_HANDLE, c_ulong)),
    "FPDFDOC_InitFormFillEnvironment": (_HANDLE, (_HANDLE, POINTER(FormFillInfo))),
    "FPDFDOC_ExitFormFillEnvironment": (None, (_HANDLE,)),
    "FPDFPage_GetAnnotCount": (c_int, (_HANDLE,)),
    "FPDFPage_GetAnnot": (_HANDLE, (_HANDLE, c_int)),
    "FPDFPage_CloseAnnot": (None, (_HANDLE,)),
    "FPDFAnnot_GetSubtype": (c_int, (_HANDLE,)),
    "FPDFAnnot_GetFlags": (c_int, (_HANDLE,)),
    "FPDFAnnot_GetRect": (c_int, (_HANDLE, POINTER(Rectangle))),
    "FPDFAnnot_GetStringValue": (c_ulong, (_HANDLE, ctypes.c_char_p, c_void_p, c_ulong)),
    "FPDFAnnot_GetNumberValue": (c_int, (_HANDLE, ctypes.c_char_p, POINTER(c_float))),
    "FPDFAnnot_HasKey": (c_int, (_HANDLE, ctypes.c_char_p)),
    "FPDFPage_RemoveAnnot": (c_int, (_HANDLE, c_int)),
    "FPDFPage_Flatten": (c_int, (_HANDLE, c_int)),
    "FPDFAnnot_GetFormFieldType": (c_int, (_HANDLE, _HANDLE)),
    "FPDFAnnot_GetFormFieldFlags": (c_int, (_HANDLE, _HANDLE)),
    "FPDFAnnot_GetFormFieldValue": (c_ulong, (_HANDLE, _HANDLE, c_void_p, c_ulong)),
    "FPDFAnnot_GetFontSize": (c_int, (_HANDLE, _HANDLE, POINTER(c_float))),
    "FPDFAnnot_GetOptionCount": (c_int, (_HANDLE, _HANDLE)),
    "FPDFAnnot_GetOptionLabel": (c_ulong, (_HANDLE, _HANDLE, c_int, c_void_p, c_ulong)),
    "FPDFAnnot_IsOptionSelected": (c_int, (_HANDLE, _HANDLE, c_int)),
    "FPDFTextObj_GetFontSize": (c_int, (_HANDLE, POINTER(c_float))),
    "FPDFBookmark_GetFirstChild": (_HANDLE, (_HANDLE, _HANDLE)),
    "FPDFBookmark_GetNextSibling": (_HANDLE, (_HANDLE, _HANDLE)),
    "FPDFBookmark_GetTitle": (c_ulong, (_HANDLE, c_void_p, c_ulong)),
    "FPDFBookmark_GetDest": (_HANDLE, (_HANDLE, _HANDLE)),
    "FPDFDest_GetDestPageIndex": (c_int, (_HANDLE, _HANDLE)),
}


@cache
def load_library() -> ctypes.CDLL:
    """Return the initialised library, which is loaded once per process.

    Raises:
        ImportError: the package is not installed.
    """
    spec = find_spec("pypdfium2_raw")
    if spec is None or spec.origin is None:
        raise ImportError("pypdfium2_raw is not installed")
    names = {"win32": "pdfium.dll", "darwin": "libpdfium.dylib"}
    library = ctypes.CDLL(str(Path(spec.origin).parent / names.get(sys.platform, "libpdfium.so")))
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
    library.FPDF_InitLibrary()
    return library


_DEFAULT_MAX_BYTES: Final = 20_000
_TERMINATOR_BYTES: Final = 2


def text_of(function: str, *handles: object, most_bytes: int = _DEFAULT_MAX_BYTES) -> str:
    """Return the UTF-16 text that a PDFium function writes to a buffer; empty if it has none or exceeds `most_bytes`.

    Such a function returns the size that it needs, so it is called twice.
    """
    call = getattr(load_library(), function)
    size = cast("int", call(*handles, None, 0))
    if size <= _TERMINATOR_BYTES or size > most_bytes:
        return ""
    buffer = ctypes.create_string_buffer(size)
    call(*handles, buffer, size)
    # The size that PDFium returns counts the terminator of two bytes.
    return buffer.raw[: size - 2].decode("utf-16-le", errors="replace")
