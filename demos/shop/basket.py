"""What is bought together, and what it costs: a cart or an order, in euro cents."""

from dataclasses import dataclass

from demos.shop.catalogue import Product, products

FREE_FROM_CENTS = 99_00
SHIPPING_CENTS = 10_00


@dataclass(frozen=True, slots=True)
class Line:
    """So many of one product, at the price of the moment (euro cents)."""

    product_id: str
    quantity: int
    price_cents: int

    @property
    def product(self) -> Product:
        return products()[self.product_id]

    @property
    def cents(self) -> int:
        return self.quantity * self.price_cents


@dataclass(frozen=True, slots=True)
class Basket:
    """Lines with what they cost together; shipping is free from 99 euros, and for nothing."""

    lines: tuple[Line, ...]

    @property
    def items(self) -> int:
        return sum(line.quantity for line in self.lines)

    @property
    def subtotal(self) -> int:
        return sum(line.cents for line in self.lines)

    @property
    def shipping(self) -> int:
        return SHIPPING_CENTS if 0 < self.subtotal < FREE_FROM_CENTS else 0

    @property
    def total(self) -> int:
        return self.subtotal + self.shipping

    def held(self, product: Product) -> int:
        return sum(line.quantity for line in self.lines if line.product_id == product.id)


@dataclass(frozen=True, slots=True)
class Order:
    """`step`: 1 placed, 2 paid, 3 shipped, 4 delivered."""

    id: str
    basket: Basket
    step: int
