"""Questions of servers on their way to the person or the model: each belongs to the call in whose course it is asked."""

from typing import Any

from mcp_types import CreateMessageRequestParams

from app.mcp_host.asking import Answered, Asked, AskModel, AskPerson, NotSampled, Sampled
from app.mcp_host.connection import Connection
from app.mcp_host.opencall import THIS_CALL, OpenCall, answered_in_call
from app.mcp_host.sampling import UnfitError, asked_of
from app.mcp_host.tokens import Signing, SignInNeededError

SIGN_IN = {"en": "Sign in to go on: this call needs it.", "es": "Inicia sesión para continuar."}
NO_CALL = "A model's answer can be asked for in the course of a call only."


class Attending:
    """Of one connection. `language` is that of the host's own words."""

    def __init__(
        self,
        connection: Connection,
        ask: AskPerson | None,
        ask_model: AskModel | None,
        signing: Signing | None,
        language: str,
    ) -> None:
        self._connection = connection
        self._ask = ask
        self._ask_model = ask_model
        self._signing = signing
        self._language = language

    @property
    def _call(self) -> OpenCall | None:
        calls = self._connection.open_calls
        return THIS_CALL.get() or (calls[-1] if calls else None)

    async def put(self, message: str, json_schema: dict[str, Any], url: str | None) -> Answered:
        """A server's question to the person, in the conversation whose call it belongs to."""
        call, config = self._call, self._connection.config
        if self._ask is None or call is None:
            return Answered(action="cancel")
        asked = Asked(
            server=config.name, message=message, conversation_id=call.conversation_id, json_schema=json_schema, url=url
        )
        return await answered_in_call(self._ask(asked), call, self._connection.limit) or Answered(action="cancel")

    async def sample(self, params: CreateMessageRequestParams) -> Sampled | NotSampled:
        """A server's question to the model; what does not fit is refused before anybody is asked. Every one is logged."""
        call, config, log = self._call, self._connection.config, self._connection.log
        if self._ask_model is None or call is None:
            return NotSampled(NO_CALL)
        try:
            asked = asked_of(params, config.name, call.conversation_id, allowed=config.sampling_allowed)
        except UnfitError as error:
            log.add("host", f"its question to the model was refused: {error}")
            return NotSampled(str(error))
        given = await answered_in_call(self._ask_model(asked), call, self._connection.limit)
        answer = given or NotSampled("The call it belonged to has ended.")
        what = f"{len(answer.text):,} characters of {answer.model}" if isinstance(answer, Sampled) else answer.reason
        count = len(asked.messages)
        log.add("host", f"it asked the model with {count} message{'s' if count != 1 else ''}: {what}")
        return answer

    async def visit(self, url: str) -> None:
        """To where a person signs in: at once if they asked to, by a question if a call needs it. Else `SignInNeededError`."""
        if self._signing is not None and self._connection.signing_in:
            await self._signing.open_url(url)
            return
        words = SIGN_IN.get(self._language, SIGN_IN["en"])
        if (await self.put(words, {}, url)).action != "accept":
            raise SignInNeededError(self._connection.config.name)
