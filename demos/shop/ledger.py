"""Carts, orders and stock in SQLite: kept over a restart, and right when two processes use them."""

import json
import secrets
import sqlite3
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

from demos.shop.basket import Basket, Line, Order
from demos.shop.catalogue import Product, products

SHIPPED_AFTER = 20.0
DELIVERED_AFTER = 60.0
MOST_QUANTITY = 1_000_000
DAY = 24 * 3600
SCHEMA = """
CREATE TABLE IF NOT EXISTS carts (
  conversation TEXT NOT NULL, product TEXT NOT NULL, quantity INTEGER NOT NULL CHECK (quantity > 0),
  PRIMARY KEY (conversation, product));
CREATE TABLE IF NOT EXISTS orders (
  id TEXT PRIMARY KEY, conversation TEXT NOT NULL, lines TEXT NOT NULL, placed REAL NOT NULL, paid REAL);
CREATE TABLE IF NOT EXISTS sales (
  product TEXT NOT NULL, day INTEGER NOT NULL, quantity INTEGER NOT NULL,
  PRIMARY KEY (product, day));
"""


class LedgerError(Exception):
    """A wish that the ledger refuses. `word` is the key of the sentence that says why."""

    def __init__(self, word: str, product: Product | None = None, **values: object) -> None:
        super().__init__(word)
        self.word = word
        self.product = product
        self.values = values


class Ledger:
    """One file in `folder`. Each call is one short transaction on a connection of its own."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._path = folder / "shop.sqlite3"
        self._clock = clock
        with self._open() as db:
            db.execute("PRAGMA journal_mode=WAL")
            db.executescript(SCHEMA)

    def stock(self) -> Mapping[str, int]:
        """What is left of each product: the shelf is filled up every day."""
        with self._open() as db:
            return self._stock(db)

    def basket(self, conversation: str) -> Basket:
        with self._open() as db:
            return self._basket(db, conversation)

    def add(self, conversation: str, product: Product, quantity: int) -> Basket:
        """Raises LedgerError where the quantity is not positive or the stock does not suffice."""
        if not 1 <= quantity <= MOST_QUANTITY:
            raise LedgerError("bad_quantity", quantity=quantity)
        with self._change() as db:
            held, left = self._basket(db, conversation).held(product), self._stock(db)[product.id]
            if left == 0:
                raise LedgerError("is_sold_out", product)
            if held + quantity > left:
                raise LedgerError("too_many_held" if held else "too_many", product, left=left, held=held)
            db.execute(
                "INSERT INTO carts VALUES (?, ?, ?) ON CONFLICT (conversation, product) "
                "DO UPDATE SET quantity = quantity + excluded.quantity",
                (conversation, product.id, quantity),
            )
            return self._basket(db, conversation)

    def remove(self, conversation: str, product: Product) -> Basket:
        """Raises LedgerError where the product is not in the cart."""
        with self._change() as db:
            gone = db.execute(
                "DELETE FROM carts WHERE conversation = ? AND product = ?",
                (conversation, product.id),
            )
            if not gone.rowcount:
                raise LedgerError("not_in_cart", product)
            return self._basket(db, conversation)

    def place(self, conversation: str, product: Product | None = None) -> Order:
        """An order of one product, or of the whole cart, which it empties. Raises LedgerError."""
        with self._change() as db:
            if product:
                basket = Basket((Line(product.id, 1, product.price_cents),))
            else:
                basket = self._basket(db, conversation)
                db.execute("DELETE FROM carts WHERE conversation = ?", (conversation,))
            if not basket.lines:
                raise LedgerError("empty_order")
            self._check_stock(db, basket)
            order_id = secrets.token_hex(5).upper()
            lines = [(line.product_id, line.quantity, line.price_cents) for line in basket.lines]
            db.execute(
                "INSERT INTO orders VALUES (?, ?, ?, ?, NULL)",
                (order_id, conversation, json.dumps(lines), self._clock()),
            )
            return Order(order_id, basket, step=1)

    def pay(self, order_id: str) -> Order:
        """Takes the order's products out of the stock. Raises LedgerError, and then changes nothing."""
        with self._change() as db:
            order = self._order(db, order_id)
            if order.step > 1:
                raise LedgerError("paid_already", id=order.id)
            self._check_stock(db, order.basket)
            for line in order.basket.lines:
                db.execute(
                    "INSERT INTO sales VALUES (?, ?, ?) ON CONFLICT (product, day) "
                    "DO UPDATE SET quantity = quantity + excluded.quantity",
                    (line.product_id, self._today, line.quantity),
                )
            db.execute("UPDATE orders SET paid = ? WHERE id = ?", (self._clock(), order.id))
            return Order(order.id, order.basket, step=2)

    def order(self, order_id: str) -> Order:
        """Raises LedgerError where there is none of this id."""
        with self._open() as db:
            return self._order(db, order_id)

    @property
    def _today(self) -> int:
        return int(self._clock() // DAY)

    def _stock(self, db: sqlite3.Connection) -> Mapping[str, int]:
        rows = db.execute("SELECT product, quantity FROM sales WHERE day = ?", (self._today,))
        sold: dict[str, int] = dict(rows.fetchall())
        return {key: max(0, one.stock - sold.get(key, 0)) for key, one in products().items()}

    def _basket(self, db: sqlite3.Connection, conversation: str) -> Basket:
        rows = db.execute(
            "SELECT product, quantity FROM carts WHERE conversation = ? ORDER BY rowid",
            (conversation,),
        )
        known = ((products().get(key), quantity) for key, quantity in rows.fetchall())
        return Basket(tuple(Line(one.id, count, one.price_cents) for one, count in known if one))

    def _order(self, db: sqlite3.Connection, order_id: str) -> Order:
        wanted = order_id.strip().lstrip("#").upper()
        row = db.execute("SELECT id, lines, paid FROM orders WHERE id = ?", (wanted,)).fetchone()
        if row is None:
            raise LedgerError("no_order", id=order_id.strip()[:40])
        lines = tuple(Line(*line) for line in json.loads(row[1]))
        return Order(row[0], Basket(lines), self._step(row[2]))

    def _step(self, paid: float | None) -> int:
        if paid is None:
            return 1
        waited = self._clock() - paid
        return 2 + (waited >= SHIPPED_AFTER) + (waited >= DELIVERED_AFTER)

    def _check_stock(self, db: sqlite3.Connection, basket: Basket) -> None:
        stock = self._stock(db)
        for line in basket.lines:
            left = stock[line.product_id]
            if left == 0:
                raise LedgerError("is_sold_out", line.product)
            if line.quantity > left:
                raise LedgerError("too_few", line.product, left=left, quantity=line.quantity)

    @contextmanager
    def _open(self) -> Generator[sqlite3.Connection]:
        db = sqlite3.connect(self._path, timeout=10, isolation_level=None)
        db.execute("PRAGMA synchronous=NORMAL")
        try:
            yield db
        finally:
            db.close()

    @contextmanager
    def _change(self) -> Generator[sqlite3.Connection]:
        """A transaction that holds the writer's place from its first read on."""
        with self._open() as db:
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
            except BaseException:
                db.execute("ROLLBACK")
                raise
            db.execute("COMMIT")
