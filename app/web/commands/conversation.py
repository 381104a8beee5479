"""What a window can ask about conversations: open, send, stop, approve, edit and the list."""

from typing import Any, Literal

from pydantic import Field

from app.chat import slash
from app.chat.facts import ExportedFile, FilledPrompt, SearchHit, SlashInfo
from app.chat.leochat import LeoChat
from app.chat.windows import Window
from app.web.commands.command import Command


class NewConversation(Command):
    """Gives `{conversation_id}`; the row appears in the list with its first message."""

    type: Literal["new_conversation"] = "new_conversation"

    async def run(self, leo: LeoChat, window: Window) -> Any:
        info = await leo.library.new()
        window.watch(await leo.library.session(info.id))
        return {"conversation_id": info.id}


class Open(Command):
    """Frames of this conversation follow: what is missing after `resume`, else `opened`.

    With `last` it has no more messages than that; what stands before them is asked for by `earlier`.
    """

    type: Literal["open"] = "open"
    conversation_id: str
    resume: int | None = None
    last: int | None = Field(default=None, ge=1)

    async def run(self, leo: LeoChat, window: Window) -> Any:
        window.watch(await leo.library.session(self.conversation_id), self.resume, self.last)


class Earlier(Command):
    """Gives `{messages, earlier}`: up to `most` that stand before a message of the shown branch, and how many before these."""

    type: Literal["earlier"] = "earlier"
    conversation_id: str
    message_id: str
    most: int = Field(default=500, ge=1)

    async def run(self, leo: LeoChat, window: Window) -> Any:
        session = await leo.library.session(self.conversation_id)
        messages, earlier = session.before(self.message_id, self.most)
        return {"messages": messages, "earlier": earlier}


class Close(Command):
    """No more frames of this conversation."""

    type: Literal["close"] = "close"
    conversation_id: str

    async def run(self, leo: LeoChat, window: Window) -> Any:
        window.unwatch(self.conversation_id)


class SendMessage(Command):
    """Start a task, or queue where one runs. `attachments` are refs of POST /attachments, `prompts` those of `prompt_fill`."""

    type: Literal["send_message"] = "send_message"
    conversation_id: str
    text: str
    attachments: tuple[str, ...] = ()
    label: str | None = None
    prompts: tuple[FilledPrompt, ...] = ()

    async def run(self, leo: LeoChat, window: Window) -> Any:
        session = await leo.library.session(self.conversation_id)
        sent = await session.send(self.text, self.attachments, label=self.label, window=window, prompts=self.prompts)
        return {"message_id": sent}


class Stop(Command):
    type: Literal["stop"] = "stop"
    conversation_id: str

    async def run(self, leo: LeoChat, window: Window) -> Any:
        await (await leo.library.session(self.conversation_id)).stop()


class Resume(Command):
    """Go on with a task that was cut off, stopped or at its limit."""

    type: Literal["resume"] = "resume"
    conversation_id: str

    async def run(self, leo: LeoChat, window: Window) -> Any:
        await (await leo.library.session(self.conversation_id)).resume(window=window)


class Approve(Command):
    """`scope` narrows what `always` means: this tool, this path or host, or the server (UI commands: always the server)."""

    type: Literal["approve"] = "approve"
    conversation_id: str
    call_id: str
    decision: Literal["once", "conversation", "always", "deny"]
    scope: Literal["tool", "path", "server"] = "tool"

    async def run(self, leo: LeoChat, window: Window) -> Any:
        session = await leo.library.session(self.conversation_id)
        session.answer_approval(self.call_id, self.decision, self.scope)


class Answer(Command):
    """The answer to an elicitation."""

    type: Literal["answer"] = "answer"
    request_id: str
    action: Literal["accept", "decline", "cancel"]
    content: dict[str, Any] | None = None

    async def run(self, leo: LeoChat, window: Window) -> Any:
        leo.answer(self.request_id, self.action, self.content)


class EditMessage(Command):
    """A new sibling of a user message, with a new task from there; the old one stays."""

    type: Literal["edit_message"] = "edit_message"
    conversation_id: str
    message_id: str
    text: str

    async def run(self, leo: LeoChat, window: Window) -> Any:
        session = await leo.library.session(self.conversation_id)
        return {"message_id": await session.tree.edit(self.message_id, self.text, window=window)}


class Regenerate(Command):
    """Another reply in place of `message_id`, also with another model."""

    type: Literal["regenerate"] = "regenerate"
    conversation_id: str
    message_id: str
    provider: str | None = None
    model: str | None = None

    async def run(self, leo: LeoChat, window: Window) -> Any:
        session = await leo.library.session(self.conversation_id)
        await session.tree.regenerate(self.message_id, provider=self.provider, model=self.model, window=window)


class SwitchSibling(Command):
    """Show the branch through this message."""

    type: Literal["switch_sibling"] = "switch_sibling"
    conversation_id: str
    message_id: str

    async def run(self, leo: LeoChat, window: Window) -> Any:
        await (await leo.library.session(self.conversation_id)).tree.switch(self.message_id)


class Branch(Command):
    """A new conversation with everything up to this message; gives `{conversation_id}`."""

    type: Literal["branch"] = "branch"
    conversation_id: str
    message_id: str

    async def run(self, leo: LeoChat, window: Window) -> Any:
        return {"conversation_id": await leo.library.branch(self.conversation_id, self.message_id)}


class QueueRemove(Command):
    type: Literal["queue_remove"] = "queue_remove"
    conversation_id: str
    queued_id: str

    async def run(self, leo: LeoChat, window: Window) -> Any:
        await (await leo.library.session(self.conversation_id)).queue.remove(self.queued_id)


class QueueEdit(Command):
    type: Literal["queue_edit"] = "queue_edit"
    conversation_id: str
    queued_id: str
    text: str

    async def run(self, leo: LeoChat, window: Window) -> Any:
        await (await leo.library.session(self.conversation_id)).queue.edit(self.queued_id, self.text)


class SendNow(Command):
    """Stop what runs and send what is queued."""

    type: Literal["send_now"] = "send_now"
    conversation_id: str
    queued_id: str

    async def run(self, leo: LeoChat, window: Window) -> Any:
        await (await leo.library.session(self.conversation_id)).send_now(self.queued_id, window=window)


class SetConversation(Command):
    """Only the fields that are there are changed; null takes back to the default of the settings."""

    type: Literal["set_conversation"] = "set_conversation"
    conversation_id: str
    options: dict[str, Any]
    """Any of system, provider, model, temperature, max_tokens, thinking, pinned, folder."""

    async def run(self, leo: LeoChat, window: Window) -> Any:
        await (await leo.library.session(self.conversation_id)).set_options(self.options)


class Rename(Command):
    type: Literal["rename"] = "rename"
    conversation_id: str
    title: str

    async def run(self, leo: LeoChat, window: Window) -> Any:
        await leo.library.rename(self.conversation_id, self.title)


class Delete(Command):
    """Out of the list at once, gone after 30 days; `undelete` brings it back."""

    type: Literal["delete"] = "delete"
    conversation_id: str

    async def run(self, leo: LeoChat, window: Window) -> Any:
        await leo.library.delete(self.conversation_id)


class Undelete(Command):
    type: Literal["undelete"] = "undelete"
    conversation_id: str

    async def run(self, leo: LeoChat, window: Window) -> Any:
        await leo.library.undelete(self.conversation_id)


class ListConversations(Command):
    """Answered by a `conversations_changed` frame to this window."""

    type: Literal["list_conversations"] = "list_conversations"

    async def run(self, leo: LeoChat, window: Window) -> Any:
        window.tell(None, await leo.library.listed())


class Search(Command):
    """Gives `{hits: [SearchHit]}` over titles and texts."""

    type: Literal["search"] = "search"
    text: str

    async def run(self, leo: LeoChat, window: Window) -> dict[str, list[SearchHit]]:
        return {"hits": await leo.library.search(self.text)}


class SlashList(Command):
    """Gives `{commands: [SlashInfo]}`: what a line that begins with / can do."""

    type: Literal["slash_list"] = "slash_list"

    async def run(self, leo: LeoChat, window: Window) -> dict[str, list[SlashInfo]]:
        known = slash.COMMANDS.values()
        return {"commands": [SlashInfo(name=c.name, hint=c.hint or None, title=c.titles[leo.language]) for c in known]}


class ExportConversation(Command):
    """Gives an ExportedFile."""

    type: Literal["export_conversation"] = "export_conversation"
    conversation_id: str
    format: Literal["markdown", "json"] = "markdown"

    async def run(self, leo: LeoChat, window: Window) -> ExportedFile:
        return await leo.library.export(self.conversation_id, self.format)
