"""Converts images into the form that the API accepts."""

import base64
import os
import re
from pathlib import Path
from typing import Any, BinaryIO, Mapping, Union

from .errors import unsent

Image = Union[str, bytes, "os.PathLike[str]", BinaryIO]
"""A JPEG, PNG, WebP, GIF or HEIC image: its bytes, a path, a file opened in binary mode, or a base64 data URI.

A string is never a path. Otherwise, a caller that passes on a string from a request could send a file of the server.
"""


def with_data_uris(value: Any) -> Any:
    """Return a copy of a request in which images are data URIs and models are dictionaries.

    Raises PresenzaError INVALID_IMAGE if an image cannot be read or has none of the formats.
    """
    if isinstance(value, os.PathLike) or hasattr(value, "read"):
        value = _content_of(value)
    elif hasattr(value, "to_dict"):
        value = value.to_dict()
    if isinstance(value, (bytes, bytearray, memoryview)):
        image = bytes(value)
        return f"data:image/{_format_of(image)};base64,{base64.b64encode(image).decode()}"
    if isinstance(value, Mapping):
        return {name: with_data_uris(field) for name, field in value.items()}
    if isinstance(value, (list, tuple)):
        return [with_data_uris(item) for item in value]
    return value


def _content_of(file: Any) -> Any:
    try:
        return Path(file).read_bytes() if isinstance(file, os.PathLike) else file.read()
    # A closed file raises ValueError.
    except (OSError, ValueError) as cause:
        raise unsent("INVALID_IMAGE", "The image cannot be read.") from cause


def _format_of(image: bytes) -> str:
    if image.startswith(b"\xff\xd8\xff"):
        return "jpeg"
    if image.startswith(b"\x89PNG\r\n\x1a\n"):
        return "png"
    # RIFF, four bytes of length, WEBP
    if image.startswith(b"RIFF") and image[8:12] == b"WEBP":
        return "webp"
    if image.startswith((b"GIF87a", b"GIF89a")):
        return "gif"
    # Four bytes of length, and the name of a brand
    # The service explains why it refuses sequences.
    if re.match(rb"ftyp(hei[cxms]|hev[cxms]|mif[12]|msf1|miaf)", image[4:12]):
        return "heic"
    message = "The bytes are not a JPEG, PNG, WebP, GIF or HEIC image."
    raise unsent("INVALID_IMAGE", message, reason="format")
