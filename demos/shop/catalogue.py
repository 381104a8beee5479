"""What the shop sells, and how a product is found: by words of any language, category and price."""

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

from demos.cards import svg_url

POPULAR_FROM = 5000
CEILING = re.compile(
    r"(?:under|below|up to|less than|at most|max|hasta|menos de|por debajo de)\s*€?\s*(\d+(?:[.,]\d+)?)"
    r"|(\d+(?:[.,]\d+)?)\s*(?:€|euros?|欧元|元)?\s*(?:以下|以内)"
)
WORD = re.compile(r"[^\W_]+")
CJK = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True)
class Text:
    """A product's words in one language."""

    name: str
    brief: str
    specs: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Product:
    """`price_cents` in euro cents; `stock` what the shelf holds each morning; `sold` so far."""

    id: str
    category: str
    picture: str
    price_cents: int
    rating: float
    reviews: int
    stock: int
    sold: int
    words: str
    texts: Mapping[str, Text]

    def text(self, language: str) -> Text:
        return self.texts.get(language) or self.texts["en"]

    @property
    def popular(self) -> bool:
        return self.sold >= POPULAR_FROM

    @cached_property
    def picture_url(self) -> str:
        drawing = files(__package__ or "").joinpath("pictures", f"{self.picture}.svg")
        return svg_url(drawing.read_text(encoding="utf-8"))

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Every word this product can be found by, in all languages, plain."""
        specs = (value for text in self.texts.values() for _, value in text.specs)
        texts = (f"{text.name} {text.brief}" for text in self.texts.values())
        category = " ".join(categories()[self.category].said)
        return frozenset(_words(" ".join((self.id, self.words, category, *texts, *specs))))


@dataclass(frozen=True, slots=True)
class Category:
    id: str
    names: Mapping[str, str]
    aliases: str

    def name(self, language: str) -> str:
        return self.names.get(language) or self.names["en"]

    @property
    def said(self) -> tuple[str, ...]:
        return (self.id, self.aliases, *self.names.values())


@dataclass(frozen=True, slots=True)
class Found:
    """`close`: no product fits every word, these fit some."""

    products: tuple[Product, ...]
    close: bool = False


SORTS: Mapping[str, Callable[[Product], float]] = {
    "popular": lambda product: -product.sold,
    "price_asc": lambda product: product.price_cents,
    "price_desc": lambda product: -product.price_cents,
    "rating": lambda product: -product.rating,
}


@cache
def _data() -> Mapping[str, Any]:
    text = files(__package__ or "").joinpath("catalogue.json").read_text(encoding="utf-8")
    return json.loads(text)


@cache
def categories() -> Mapping[str, Category]:
    return {key: Category(key, **entry) for key, entry in _data()["categories"].items()}


@cache
def products() -> Mapping[str, Product]:
    return {entry["id"]: _product(entry) for entry in _data()["products"]}


@cache
def _everything() -> frozenset[str]:
    return frozenset(_words(_data()["everything"]))


@cache
def _small_words() -> frozenset[str]:
    return frozenset(_words(_data()["small_words"]))


@cache
def _cjk_words() -> tuple[str, ...]:
    """All Chinese words of the catalogue, the longest first."""
    words = {word for product in products().values() for word in product.vocabulary}
    return tuple(sorted((word for word in words if CJK.search(word)), key=len, reverse=True))


def find_product(wanted: str) -> Product | None:
    """By id, or by its whole name in any language."""
    plain = " ".join(_words(wanted))
    for product in products().values():
        if plain in {" ".join(_words(said)) for said in (product.id, *_names(product))}:
            return product
    return None


def find_category(wanted: str) -> Category | None:
    words = set(_words(wanted)) - _small_words()
    for category in categories().values():
        if words and words <= set(_words(" ".join(category.said))):
            return category
    return None


def means_everything(wanted: str) -> bool:
    """Whether these words ask for all products: "popular", "all", "recommended", 热门, 推荐 …"""
    return not set(_words(wanted)) - _small_words() - _everything()


def search(keyword: str, category: Category | None, sort: str) -> Found:
    """Products that fit every word of `keyword`, else those that fit the most of them."""
    plain = _plain(keyword)
    pool = [product for product in products().values() if category in (None, _category(product))]
    if ceiling := CEILING.search(plain):
        most = float((ceiling[1] or ceiling[2]).replace(",", ".")) * 100
        pool = [product for product in pool if product.price_cents <= most]
        plain = plain.replace(ceiling[0], " ")
    wanted = [part for word in _words(plain) for part in _parts(word) if part not in _small_words() | _everything()]
    hits = {product.id: sum(_fits(word, product) for word in wanted) for product in pool}
    best = max(hits.values(), default=0)
    chosen = [product for product in pool if hits[product.id] == best and (best or not wanted)]
    return Found(tuple(sorted(chosen, key=SORTS[sort])), close=bool(chosen) and best < len(wanted))


def _category(product: Product) -> Category:
    return categories()[product.category]


def _names(product: Product) -> Iterable[str]:
    return (text.name for text in product.texts.values())


def _product(entry: dict[str, Any]) -> Product:
    texts = {language: _text(raw) for language, raw in entry["texts"].items()}
    return Product(**{key: value for key, value in entry.items() if key != "texts"}, texts=texts)


def _text(raw: dict[str, Any]) -> Text:
    specs = tuple((str(label), str(value)) for label, value in raw["specs"])
    return Text(raw["name"], raw["brief"], specs)


def _plain(text: str) -> str:
    """Lower case, without accents; 耳机 and the like are kept as they are."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in parts if not unicodedata.combining(letter))


def _words(text: str) -> list[str]:
    return WORD.findall(_plain(text))


def _parts(word: str) -> list[str]:
    """Chinese has no spaces: 无线耳机 is taken apart into the words that the catalogue knows."""
    if not CJK.search(word) or word in _everything():
        return [word]
    known: list[str] = []
    rest = word
    for own in _cjk_words():
        if own in rest:
            known.append(own)
            rest = rest.replace(own, " ")
    return known or [word]


def _fits(word: str, product: Product) -> bool:
    """A word fits where it begins one of the product's (plural or not); Chinese also as a part."""
    if CJK.search(word):
        return any(word in own for own in product.vocabulary)
    stems = {word} | {word[: -len(end)] for end in ("s", "es") if word.endswith(end) and len(word) > 3}
    return any(own.startswith(stem) for own in product.vocabulary for stem in stems)
