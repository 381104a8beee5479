"""An embedding model that the person added: texts in, vectors out, over the OpenAI or the Ollama protocol."""

from __future__ import annotations

import json
import math
import operator
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, cast
from urllib.parse import urlsplit

CONNECT_SECONDS = 5.0
SECONDS = 60.0
MOST_BYTES = 64 * 1024 * 1024
MOST_DIMENSIONS = 16_384

Vector: TypeAlias = "array[float]"


class EmbeddingError(Exception):
    """The endpoint gave no vectors; the text says why. `refused`: it will not take these texts, however often one asks."""

    def __init__(self, words: str, *, refused: bool = False) -> None:
        super().__init__(words)
        self.refused = refused


@dataclass(frozen=True)
class Model:
    """Where it is and which one. `address`: with /v1 for OpenAI-compatible endpoints, without a path for Ollama."""

    protocol: Literal["openai", "ollama"]
    address: str
    model: str
    key: str = field(default="", repr=False)

    @property
    def name(self) -> str:
        """What vectors are kept under: those of another model mean nothing beside them."""
        return f"{self.protocol}|{self.address.rstrip('/')}|{self.model}"

    @property
    def url(self) -> str:
        base = self.address.strip().rstrip("/")
        if self.protocol == "ollama":
            return f"{base.removesuffix('/v1').removesuffix('/api')}/api/embed"
        return base if base.endswith("/embeddings") else f"{base}/embeddings"


async def embed(model: Model, texts: Sequence[str], seconds: float = SECONDS) -> list[Vector]:
    """One vector of length 1 for each text. Raises EmbeddingError."""
    import aiohttp

    headers = {"Authorization": f"Bearer {model.key}"} if model.key else {}
    timeout = aiohttp.ClientTimeout(total=seconds, sock_connect=CONNECT_SECONDS)
    host = urlsplit(model.url).netloc
    try:
        async with (
            aiohttp.ClientSession(timeout=timeout, trust_env=True) as session,
            # a redirect could carry the key to another host
            session.post(
                model.url, json={"model": model.model, "input": list(texts)}, headers=headers, allow_redirects=False
            ) as answer,
        ):
            body = await answer.content.read(MOST_BYTES)
            while not answer.content.at_eof() and len(body) < MOST_BYTES:
                body += await answer.content.read(MOST_BYTES - len(body))
            status = answer.status
    except TimeoutError as error:
        raise EmbeddingError(f"{host} did not answer within {seconds:g} s. Is the embedding model running?") from error
    except aiohttp.ClientConnectorError as error:
        why = error.os_error.strerror or error.os_error
        raise EmbeddingError(f"{host} cannot be reached: {why}. Check the address, and that the model is running.") from error
    except (aiohttp.ClientError, OSError, ValueError) as error:
        raise EmbeddingError(f"{host} broke off: {error or type(error).__name__}. Check the address.") from error
    if status != 200:
        raise EmbeddingError(_failure(host, status, body, model), refused=status in (400, 413, 422))
    return _vectors(body, len(texts), host)


def _failure(host: str, status: int, body: bytes, model: Model) -> str:
    said = " ".join(_message(body).split())[:300]
    cure = {
        401: " Check the key.",
        403: " Check the key.",
        404: f" Check the address, and that there is a model {model.model}.",
    }.get(status, "")
    return f"{host} answered with status {status}{f': {said}' if said else ''}.{cure}"


def _message(body: bytes) -> str:
    text = body[:4000].decode("utf-8", "replace")
    try:
        told: Any = json.loads(text)
        error = cast("Mapping[str, Any]", told).get("error") if isinstance(told, dict) else None
        if isinstance(error, dict):
            return str(cast("Mapping[str, Any]", error).get("message") or text)
        return str(error or text)
    except (ValueError, RecursionError):
        return text if not text.lstrip().startswith("<") else ""


def _vectors(body: bytes, count: int, host: str) -> list[Vector]:
    try:
        told = cast("dict[str, Any]", json.loads(body))
        if "embeddings" in told:
            found = cast("list[Any]", told["embeddings"])
        else:
            rows = cast("list[dict[str, Any]]", told["data"])
            found = [row["embedding"] for row in sorted(rows, key=lambda row: int(row.get("index", 0)))]
        vectors = [unit(array("f", [float(value) for value in row])) for row in found]
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise EmbeddingError(f"{host} did not answer with vectors. Is this the address of an embedding model?") from error
    sizes = {len(vector) for vector in vectors}
    if len(vectors) != count or len(sizes) > 1 or not 0 < max(sizes, default=0) <= MOST_DIMENSIONS:
        raise EmbeddingError(f"{host} did not answer with one vector for each text.")
    if not any(map(any, vectors)):
        raise EmbeddingError(f"{host} answered with vectors that are all zeros or no numbers. Is this an embedding model?")
    return vectors


def unit(vector: Vector) -> Vector:
    """The same direction with length 1; what has none or is no number becomes zeros."""
    length = math.sqrt(sum(map(operator.mul, vector, vector)))
    if not length or not math.isfinite(length):
        return array("f", bytes(len(vector) * vector.itemsize))
    return array("f", [value / length for value in vector])


def dot(a: Vector, b: Vector) -> float:
    """How alike two vectors of length 1 are, 1 the same."""
    return sum(map(operator.mul, a, b))


def sign_of(vector: Vector) -> bytes:
    """One bit for each number: whether it is above 0. What differs in few bits is alike, and bits are compared fast."""
    bits = int("".join("1" if value > 0 else "0" for value in vector), 2)
    return bits.to_bytes((len(vector) + 7) // 8, "big")
