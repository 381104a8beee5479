"""Puts a tool call together from its fragments, and tells the call that is whole from the one that is not."""

import json
import re
import uuid
from typing import Any

from app.core.messages import InvalidArguments, Opaque, ToolCall
from app.providers.shapes import is_list, is_object


def new_call_id() -> str:
    """For vendors that give none: 24 characters that every vendor accepts."""
    return f"call_{uuid.uuid4().hex[:19]}"


def tool_name(said: str) -> str:
    """A name as it was offered: some models write their own markup around it (`functions.read`, `read<|channel|>json`)."""
    return re.sub(r"^(functions|default_api|tools?)[.:/]+|<\|.*|:\d+$|\s+", "", said, flags=re.DOTALL) or said


class CallDraft:
    """One call being written. `block` is its index in the reply; `raw` grows fragment by fragment."""

    __slots__ = ("_grows", "_last", "block", "ended", "given_id", "id", "name", "opaque", "pieces", "started")

    def __init__(self, block: int, call_id: str = "", name: str = "") -> None:
        self.block = block
        self.given_id = call_id
        self.id = call_id or new_call_id()
        self.name = name
        self.pieces: list[str] = []
        self._last, self._grows = "", True
        self.started = False
        self.ended = False
        self.opaque: Opaque | None = None

    @property
    def raw(self) -> str:
        if len(self.pieces) > 1:
            self.pieces = ["".join(self.pieces)]
        return self.pieces[0] if self.pieces else ""

    def add(self, text: str) -> None:
        """More argument text."""
        self.pieces.append(text)
        self._grows = self._grows and text.startswith(self._last)
        self._last = text

    def whole(self) -> bool:
        """The arguments so far are one complete JSON object."""
        text = self.raw.strip()
        return text.endswith("}") and is_object(read_arguments(text))

    def call(self, *, cut: str | None = None) -> ToolCall:
        """The finished call. `cut`: why the reply broke off, in words; a call that is not whole then is invalid."""
        raw, name = self.raw, tool_name(self.name)
        arguments = read_arguments(raw)
        if isinstance(arguments, str) and self._grows and is_object(last := read_arguments(self._last)) and self._last:
            raw, arguments = self._last, last  # each piece was all the arguments so far
        if cut and (isinstance(arguments, str) or not raw.strip()):
            arguments = cut
        elif not name:
            arguments = "the call names no tool"
        if isinstance(arguments, str):
            return ToolCall(id=self.id, name=name, invalid=InvalidArguments(raw=raw, error=arguments), opaque=self.opaque)
        return ToolCall(id=self.id, name=name, arguments=arguments, opaque=self.opaque)


def read_arguments(raw: str) -> dict[str, Any] | str:
    """The arguments, or in words why these are none. Nothing, `null` and `{}` mean none; line breaks in strings pass."""
    text = raw.strip()
    if not text or text == "null":
        return {}
    try:
        value: Any = json.loads(text, strict=False, parse_constant=_no_constant)
        if isinstance(value, str):  # encoded twice
            value = json.loads(value, strict=False, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        if error.msg == "Extra data":
            return "these are several JSON values one after another, not one JSON object; make one call for each"
        return f"not valid JSON: {error.msg} at character {error.pos}"
    except ValueError as error:
        return f"not valid JSON: {error}"
    except RecursionError:
        return "JSON nested too deeply"
    if value is None:
        return {}
    return value if is_object(value) else f"a JSON {_kind(value)}, not a JSON object"


def _no_constant(word: str) -> Any:
    raise ValueError(f"{word} is not a JSON value")


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "truth value"
    return "list" if is_list(value) else "string" if isinstance(value, str) else "number"


def arguments_text(value: Any) -> str:
    """Argument text as it comes: text mostly, an object from some servers, nothing at all from others."""
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False)


class CallFragments:
    """Which call a fragment of an OpenAI-style stream belongs to, where index, id and name may be missing, null or repeated."""

    def __init__(self, known: frozenset[str]) -> None:
        self._known = known
        self._at: dict[int, CallDraft] = {}
        self._by_id: dict[str, CallDraft] = {}
        self._last: CallDraft | None = None

    def place(self, fragment: dict[str, Any]) -> tuple[CallDraft | None, str, str, str]:
        """`(draft, id, name, arguments)`: the draft to add to, or None where a new call begins."""
        function: dict[str, Any] = fragment.get("function") or {}
        call_id, name = str(fragment.get("id") or ""), str(function.get("name") or "")
        arguments = arguments_text(function.get("arguments"))
        index = fragment.get("index")
        draft = self._at.get(index) if isinstance(index, int) else None
        if call_id in self._by_id and not name and (draft is None or draft.given_id not in ("", call_id)):
            draft = self._by_id[call_id]  # a known id knows better than an index that another call has taken
        elif draft is None and not isinstance(index, int):
            draft = self._by_id.get(call_id, self._last)
        elif draft is None and not (name or call_id):
            draft = self._last
        if draft is not None and self._is_new(draft, call_id, name, arguments):
            draft = None
        return draft, call_id, name, arguments

    def add(self, draft: CallDraft, fragment: dict[str, Any]) -> None:
        index = fragment.get("index")
        if isinstance(index, int):
            self._at[index] = draft
        if draft.given_id:
            self._by_id[draft.given_id] = draft
        self._last = draft

    def _is_new(self, draft: CallDraft, call_id: str, name: str, arguments: str) -> bool:
        """A new id with a name begins a call (some servers invent an id for every fragment, but name none);
        a name without an id does where the call so far is whole."""
        if call_id and draft.given_id and call_id != draft.given_id:
            return bool(name) or draft.whole()
        if not name or (call_id and call_id == draft.given_id):
            return False
        if name == draft.name or not draft.name:
            return bool(arguments.strip()) and draft.whole()
        return draft.whole() or (draft.name in self._known and draft.name + name not in self._known)


def add_fragment(draft: CallDraft, call_id: str, name: str, arguments: str) -> str:
    """Take a fragment in; gives the new argument text, "" where it only repeats what is there."""
    draft.given_id = draft.given_id or call_id
    if name and name != draft.name and not draft.pieces:
        draft.name = name if draft.name and name.startswith(draft.name) else draft.name + name
    elif name and not draft.name:
        draft.name = name
    if name and arguments and call_id == draft.given_id and arguments == draft.raw and draft.whole():
        return ""  # the finished call said once more
    if (
        arguments
        and draft.pieces
        and len(draft.pieces) == 1
        and draft.pieces[0].strip() == "{}"
        and arguments.lstrip().startswith("{")
    ):
        draft.pieces.clear()  # `{}` stood in until the real arguments came
        if arguments.strip() == "{}":
            draft.add(arguments)
            return ""
    if arguments:
        draft.add(arguments)
    return arguments
