"""A conversation's cards: pressing their buttons, and what became of each press."""

import asyncio
from typing import TYPE_CHECKING, Any, Literal

from app.chat.pressing import Pressed, filled, find_button, input_values
from app.chat.refused import Refused
from app.chat.said import CardEvent, CardState, CardStateChanged
from app.chat.shell import checked_url
from app.chat.windows import Window
from app.core.cards import AgentEventAction, CardAction, LinkAction, ToolCallAction, UiCommandAction
from app.core.events import MessageStart
from app.core.messages import CardBlock, Message, Origin, ToolCall, new_id
from app.core.pairing import NOT_RUN, STOPPED, plain_result
from app.core.tools import find_spec
from app.core.ui_commands import UiSendMessage, read_ui_command
from app.store import CardPress

if TYPE_CHECKING:
    from app.chat.session import Session

State = Literal["pressed", "queued", "running", "failed"]
BUSY = ("running", "queued")


class CardDesk:
    """Presses and states of one session's cards."""

    def __init__(self, session: "Session"):
        self._session = session
        self._states: dict[tuple[str, str, str], CardState] = {}
        self._beginning: set[tuple[str, str, str]] = set()

    async def load(self) -> None:
        """The presses kept in the store; what ran or waited when the app ended is just pressed now."""
        for press in await self._session.rooms.store.cards.all(self._session.id):
            state: State = "failed" if press.state == "failed" else "pressed"
            shown = CardState(message_id=press.message_id, card_id=press.card_id, action_id=press.action_id, state=state)
            self._states[press.message_id, press.card_id, press.action_id] = shown

    @property
    def states(self) -> tuple[CardState, ...]:
        return tuple(self._states.values())

    async def press(
        self, message_id: str, card_id: str, action_id: str, inputs: dict[str, Any], window: Window | None
    ) -> dict[str, Any]:
        """Do what the button says, as stored in the conversation; Refused while it is still at it."""
        session = self._session
        block, action = find_button(session.messages, message_id, card_id, action_id)
        key = (message_id, card_id, action_id)
        at_work = key in self._states and self._states[key].state in BUSY and session.running
        if at_work or key in self._beginning:
            raise Refused("busy", "This button is at work already.")
        if action.action is None:
            raise Refused("invalid", "What this button should do could not be read.")
        values = input_values(block.card, inputs)
        self._states[key] = CardState(message_id=message_id, card_id=card_id, action_id=action_id, state="running")
        self._beginning.add(key)
        try:
            return await self._do(block, action, values, key, window)
        except Refused as refused:
            await self._set(key, "failed", refused.message)
            raise
        finally:
            self._beginning.discard(key)

    async def _do(
        self, block: CardBlock, action: CardAction, values: dict[str, Any], key: tuple[str, str, str], window: Window | None
    ) -> dict[str, Any]:
        match action.action:
            case UiCommandAction(command=command, payload=payload):
                return await self._command(block, action, command, filled(payload, values), key, window)
            case AgentEventAction(name=name, payload=payload):
                await self._set(key, "pressed")
                self._session.emit(CardEvent(block.card.id, action.id, name, filled(payload, values)))
                return {"effect": "event", "name": name, "payload": filled(payload, values)}
            case LinkAction(url=url):
                await self._session.rooms.shell.open_url(checked_url(str(filled(url, values))))
                await self._set(key, "pressed")
                return {"effect": "link"}
            case ToolCallAction(tool=tool, arguments=arguments):
                return await self._call(block, action, tool, filled(arguments, values), key)
            case None:
                return {"effect": "none"}

    def _origin(self, block: CardBlock, action: CardAction) -> Origin:
        bundled = self._session.rooms.bundled(block.server)
        return Origin(server=block.server, card_id=block.card.id, label=action.label, bundled=bundled)

    async def _command(
        self,
        block: CardBlock,
        action: CardAction,
        command: str,
        payload: dict[str, Any],
        key: tuple[str, str, str],
        window: Window | None,
    ) -> dict[str, Any]:
        read = read_ui_command(command, payload)
        if isinstance(read, str):
            raise Refused("invalid", read)
        if isinstance(read, UiSendMessage):
            busy = self._session.running
            origin = self._origin(block, action)
            if read.label:
                origin = origin.model_copy(update={"label": read.label})
            await self._set(key, "queued" if busy else "running")
            await self._session.send(read.text, origin=origin, window=window)
            return {"effect": "queued" if busy else "sent"}
        host = self._session.ui_host
        host.sender = window or host.sender
        result = await host.perform(read, payload, block.server, clicked=True)
        if not result.executed:
            raise Refused("unavailable", result.message)
        await self._set(key, "pressed")
        return {"effect": "ui", "message": result.message}

    async def _call(
        self, block: CardBlock, action: CardAction, tool: str, arguments: dict[str, Any], key: tuple[str, str, str]
    ) -> dict[str, Any]:
        """A tool of the card's own server, without a model round; behind the running task, if there is one."""
        runner = self._session.tasks.call_runner()
        spec = find_spec([s for s in runner.specs() if s.server == block.server], tool)
        if spec is None:
            raise Refused("not_found", f"{block.server} has no tool {tool}.")
        call = ToolCall(id=new_id("call"), name=spec.name, arguments=arguments, server=spec.server, tool=spec.tool)
        origin = self._origin(block, action)
        await self._set(key, "queued" if self._session.running else "running")
        self._session.tasks.aside(lambda: self._run_call(call, origin, key))
        return {"effect": "called"}

    async def _run_call(self, call: ToolCall, origin: Origin, key: tuple[str, str, str]) -> None:
        """The call and its result as two messages, so that the model finds them paired in its next round."""
        session = self._session
        await self._set(key, "running")
        asked = Message(
            id=new_id("msg"), role="assistant", blocks=(call,), origin=origin, parent_id=session.head, stop_reason="tool_use"
        )
        await session.tasks.place(asked)
        answer = Message(id=new_id("msg"), role="tool", parent_id=asked.id)
        session.emit(MessageStart(answer))
        runner = session.tasks.call_runner()
        try:
            runner.task_id, runner.clicked, runner.approver = new_id("task"), True, Pressed(session.approvals)
            result = await runner.run(call)
        except asyncio.CancelledError:
            result = plain_result(call, STOPPED if call.id in runner.begun else NOT_RUN)
        await session.tasks.place(answer.model_copy(update={"blocks": result.blocks}))
        await self._set(key, "failed" if result.is_error else "pressed", result.text if result.is_error else None)

    async def task_ended(self) -> None:
        """The buttons whose messages were answered are no longer at work."""
        for key, state in list(self._states.items()):
            if state.state == "running" or (state.state == "queued" and not len(self._session.queue)):
                await self._set(key, "pressed")
        await asyncio.sleep(0)

    async def _set(self, key: tuple[str, str, str], state: State, message: str | None = None) -> None:
        shown = CardState(message_id=key[0], card_id=key[1], action_id=key[2], state=state, message=message)
        self._states[key] = shown
        press = CardPress(message_id=key[0], card_id=key[1], action_id=key[2], state=state)
        await self._session.rooms.store.cards.save(self._session.id, press)
        self._session.emit(CardStateChanged(shown))
