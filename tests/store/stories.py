"""Small messages and conversations for the store's tests."""

from app.core.cards import Card, CardField, CardFields, CardText
from app.core.messages import CardBlock, Message, TextBlock, ToolCall, ToolResultBlock, Usage, new_id
from app.store import Store


def user(text: str, parent: str | None = None) -> Message:
    return Message(id=new_id("msg"), role="user", parent_id=parent, blocks=(TextBlock(text=text),))


def reply(text: str, parent: str | None, **more: object) -> Message:
    fields = {"id": new_id("msg"), "role": "assistant", "parent_id": parent, "stop_reason": "end", **more}
    return Message.model_validate({"blocks": (TextBlock(text=text),), **fields})


def calling(parent: str) -> Message:
    return reply(
        "", parent, blocks=(ToolCall(id="c1", name="shop__cart_view", server="shop", tool="cart_view"),), stop_reason="tool_use"
    )


def answered(parent: str) -> Message:
    card = Card(
        id="cart_1",
        kind="list",
        title="Carrito",
        body=(CardText(text="Auriculares"), CardFields(fields=(CardField(label="Total", value="99"),))),
    )
    blocks = (ToolResultBlock(tool_call_id="c1", text="1 item"), CardBlock(tool_call_id="c1", card=card, server="shop"))
    return Message(id=new_id("msg"), role="tool", parent_id=parent, blocks=blocks)


def priced(text: str, parent: str, tokens: int, cost: float | None) -> Message:
    return reply(text, parent, usage=Usage(input_tokens=tokens, cost=cost), model="m1", provider="p1")


async def told(store: Store, *texts: str) -> tuple[str, list[Message]]:
    """A new conversation in which user and model take turns with `texts`; its id and messages."""
    row = await store.conversations.create()
    messages: list[Message] = []
    for number, text in enumerate(texts):
        parent = messages[-1].id if messages else None
        messages.append(reply(text, parent) if number % 2 else user(text, parent))
        await store.messages.append(row.id, messages[-1], durable=False)
    return row.id, messages
