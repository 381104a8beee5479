"""What a window can ask about servers' prompts and resources, and about their questions to the model."""

from typing import Any, Literal

from app.chat.facts import FilledPrompt, MaterialReport, Proposals, ResourceContents
from app.chat.leochat import LeoChat
from app.chat.windows import Window
from app.web.commands.command import Command


class PromptsList(Command):
    """Gives a MaterialReport: the prompts of all running servers, or of one. `material_changed` says when to ask again."""

    type: Literal["prompts_list"] = "prompts_list"
    server: str | None = None

    async def run(self, leo: LeoChat, window: Window) -> MaterialReport:
        return await leo.material.listed("prompts", self.server)


class PromptFill(Command):
    """Gives a FilledPrompt, to be shown and then sent with `send_message`."""

    type: Literal["prompt_fill"] = "prompt_fill"
    server: str
    name: str
    arguments: dict[str, str] = {}

    async def run(self, leo: LeoChat, window: Window) -> FilledPrompt:
        return await leo.material.fill(self.server, self.name, self.arguments)


class ResourcesList(Command):
    """Gives a MaterialReport: resources and patterns of all running servers, or of one."""

    type: Literal["resources_list"] = "resources_list"
    server: str | None = None

    async def run(self, leo: LeoChat, window: Window) -> MaterialReport:
        return await leo.material.listed("resources", self.server)


class ResourceRead(Command):
    """Gives ResourceContents. With `arguments`, `uri` is a pattern (RFC 6570) that they fill in."""

    type: Literal["resource_read"] = "resource_read"
    server: str
    uri: str
    arguments: dict[str, str] | None = None

    async def run(self, leo: LeoChat, window: Window) -> ResourceContents:
        return await leo.material.read(self.server, self.uri, self.arguments)


class ResourceAttach(Command):
    """As `resource_read`, for a message: refused where there is nothing to attach."""

    type: Literal["resource_attach"] = "resource_attach"
    server: str
    uri: str
    arguments: dict[str, str] | None = None

    async def run(self, leo: LeoChat, window: Window) -> ResourceContents:
        return await leo.material.attach(self.server, self.uri, self.arguments)


class ResourceFollow(Command):
    """Be told (`material_changed`) when a resource changes, or no more; gives `{followed}`, false where it cannot be."""

    type: Literal["resource_follow"] = "resource_follow"
    server: str
    uri: str
    follow: bool

    async def run(self, leo: LeoChat, window: Window) -> Any:
        return {"followed": await leo.material.follow(self.server, self.uri, self.follow)}


class ArgumentComplete(Command):
    """Gives Proposals for an argument of a prompt (`name`) or of a pattern (`name` is its URI); `given`: the others so far."""

    type: Literal["argument_complete"] = "argument_complete"
    server: str
    kind: Literal["prompt", "resource"]
    name: str
    argument: str
    value: str
    given: dict[str, str] = {}

    async def run(self, leo: LeoChat, window: Window) -> Proposals:
        return await leo.material.complete(self.server, self.kind, self.name, self.argument, self.value, self.given)


class AnswerSampling(Command):
    """A person's word on a server's question to the model.

    While it is asked: once, always (this server need not ask any more) or deny, with `review` to see the answer before it goes
    back; once it is answered: send or withhold.
    """

    type: Literal["answer_sampling"] = "answer_sampling"
    request_id: str
    decision: Literal["once", "always", "deny", "send", "withhold"]
    review: bool = False

    async def run(self, leo: LeoChat, window: Window) -> Any:
        leo.sampling.answer(self.request_id, self.decision, self.review)
