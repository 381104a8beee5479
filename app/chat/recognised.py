"""English sentences for the page are recognised by what they are made of, so that it can word them in the person's language."""

import functools
import re

from app.core.frozen import Frozen
from app.core.saying import Saying, saying
from app.mcp_host.wording import CAUSES

# The key in the page's tables, to the sentence as written in the code (refusals, notes on imports, the closing sentence).
TOLD = {
    "form.name": "Give the server a name.",
    "form.nothing": "Enter a command or a URL.",
    "form.quote": "A quotation mark in the command is not closed.",
    "form.secretAlone": "A client secret needs the client id that it belongs to.",
    "form.noTest": "There is nothing to test.",
    "server.unknown": "There is no server called {name}.",
    "server.taken": "There is a server called {name} already.",
    "server.switchedOnly": "{name} comes with LeoChat: it can only be switched.",
    "server.notRemoved": "{name} comes with LeoChat: it can be switched off, not removed.",
    "server.onlyOne": "{name} comes with LeoChat: there can be only one.",
    "server.noExport": "{name} comes with LeoChat: there is nothing to take elsewhere.",
    "server.notShown": "What {name} would start is not what was shown: look at it again.",
    "server.otherTrouble": "{name} has another trouble now.",
    "server.yours": "This is for you to do.",
    "server.noTool": "{name} has no tool {tool}.",
    "server.notOffered": "{name} does not offer {tool} now: it does not run, or the tool is off.",
    "server.off": "The server {name} is switched off.",
    "server.waits": "The server {name} waits to be accepted by the user before it may start.",
    "server.away": "The server {name} is not available.",
    "server.notRunning": "{name} is not running.",
    "call.misfit": "The argument `{name}` does not fit: {reason}.",
    "call.misfits": "The arguments do not fit: {reason}.",
    "form.misfit": "The field `{name}` does not fit: {reason}.",
    "asked.over": "This was answered already, or is not asked any more.",
    "material.noPrompt": "{server} has no prompt {name} any more.",
    "material.fill": "Fill in {names}.",
    "material.emptyPrompt": "The prompt {name} of {server} is empty.",
    "material.empty": "{uri} is empty: there is nothing to attach.",
    "material.late": "{name} did not answer within {seconds} s.",
    "material.refused": "{name} did not give it: {reason}",
    "material.pattern": "The pattern {template} cannot be filled in: {reason}",
    "import.choose": "Choose a server first.",
    "import.gone": "This file is not there any more: pick it again.",
    "import.notUnpacked": "The bundle could not be unpacked: {reason}.",
    "import.noServer": "There is no server in this JSON.",
    "import.noneInIt": "There is no server in it.",
    "import.noneKept": "There is no server in what LeoChat kept.",
    "import.nothing": "{name} was left out: it has neither a command nor a URL.",
    "import.noList": "{name} was left out: its arguments are not a list.",
    "import.badUrl": "{name} was left out: its URL {url} is neither http nor https.",
    "import.leftOut": "{name} was left out: {reason}.",
    "import.input": "{name}: put in {what} where {place} stands.",
    "import.editor": "{name}: {place} is an editor's folder; write a real path in its place.",
    "import.windows": "{name}: {command} is a program of Windows.",
    "import.placeholders": "{name}: it holds placeholders that have to be replaced.",
    "import.oauth": "{name}: its sign-in settings (oauth) were not taken over.",
    "import.notTaken": "{name}: not taken over: {fields}.",
    "import.nothingToStart": "{name} names no package or address that LeoChat can start.",
    "import.registry": "{name}: LeoChat cannot start packages {kind} ({package}).",
    "import.serves": "{name}: its package serves {url} once it runs; start it, then add that address.",
    "import.standsFor": "{name}: {text} stands for something to be replaced.",
    "import.cameWithIt": "Left out, since LeoChat brings its own or you can add them by name: {names}.",
    "import.manifestAlone": "This is only the manifest of a bundle: pick the .mcpb file itself, which holds the program.",
    "blank.missing": "{name}: {title} is missing.",
    "blank.oneOf": "{name}: {title} is one of {choices}.",
    "blank.number": "{name}: {title} is a number.",
    "blank.least": "{name}: {title} is at least {least}.",
    "blank.most": "{name}: {title} is at most {most}.",
    "json.long": "This text is over 1 MiB: it is no configuration of servers.",
    "json.deep": "This JSON is nested too deeply.",
    "json.none": "There is no JSON in this text.",
    "json.broken": "This is not JSON ({reason}).",
    "bundle.unreadable": "This bundle cannot be read: {reason}.",
    "bundle.damaged": "This bundle is damaged: {reason}.",
    "bundle.files": "This bundle holds over {count} files.",
    "bundle.encrypted": "This bundle is encrypted.",
    "bundle.link": "This bundle holds a link, which could lead out of its folder: {file}.",
    "bundle.twins": "This bundle holds two files of one name: {file}.",
    "bundle.size": "Unpacked this bundle would take over {size} MiB.",
    "bundle.bomb": "This bundle would grow over two hundred times when unpacked: it is made to fill a disk.",
    "bundle.elsewhere": "This bundle holds a file that would be written elsewhere: {file}.",
    "bundle.noManifest": "There is no manifest.json in this file: it is no bundle of an MCP server.",
    "bundle.manifestSize": "The manifest of this bundle is over 1 MiB.",
    "bundle.larger": "{file} is larger than the bundle says.",
    "bundle.manifestUnread": "The manifest of this bundle cannot be read: {reason}",
    "bundle.noServer": "The manifest of this bundle names no server.",
    "bundle.noStart": "The manifest of this bundle says neither a command nor what to start.",
    "bundle.version": "Its manifest is of version {version}, which LeoChat does not know.",
    "bundle.missing": "Its manifest leaves out {fields}.",
    "bundle.unknown": "Its manifest has fields that LeoChat does not know: {fields}.",
    "bundle.kind": "Its manifest calls it a server of kind {kind}, which LeoChat does not know.",
    "bundle.noCommand": "Its manifest names no command; LeoChat starts it as servers of its kind are started.",
    "bundle.author": "Its author's address {mail} is none.",
    "bundle.platforms": "It is made for {platforms}, not for this computer's system.",
    "bundle.setting": "It uses a setting {name} that its manifest does not describe; what needs it is left out.",
    "chat.elsewhere": "A task of this conversation runs in another LeoChat; wait for it, or stop it first.",
    "chat.deaf": "The task runs in another LeoChat, which does not answer: stop it there.",
    "chat.running": "A task is running in this conversation.",
    "chat.runningAlready": "The task is running already.",
    "chat.stopFirst": "Stop the task first.",
    "chat.nothingToGoOn": "There is nothing to go on with.",
    "chat.cameToEnd": "There is nothing to go on with: the last task came to its end.",
    "chat.nothingToSend": "There is nothing to send.",
    "chat.endsWithAnswer": "This prompt ends with an answer: write a message after it.",
    "chat.nothingToSum": "There is nothing to sum up.",
    "chat.nothingYet": "There is nothing to sum up yet.",
    "chat.noSummary": "The model gave no summary of the conversation, so no room could be made.",
    "chat.leftQueue": "This message is not in the queue any more; it was sent or removed.",
    "chat.notShown": "This message is not on the shown branch.",
    "chat.onlyYours": "Only your own messages can be edited.",
    "chat.noQuestion": "There is no question before this reply.",
    "chat.answered": "This was answered already.",
    "chat.gone": "There is no such conversation (any more).",
    "chat.attachmentGone": "An attachment is not there any more; attach it again.",
    "chat.title": "A title needs at least one letter.",
    "store.full": "The disk is full: free some space; nothing already saved is lost.",
    "taken.noExport": "This file is no export that LeoChat knows.",
    "taken.notWhole": "This file is an export of LeoChat, but not a whole one: make it again.",
    "taken.unreadable": "This file cannot be read as an export: {reason}.",
    "taken.unread": "Conversation {number} could not be read: {reason}.",
    "taken.notKept": "{name}: it could not be taken in ({reason}).",
    "taken.refused": "{name}: it could not be taken in: {reason}",
    "taken.attachment": "The attachment {name} is damaged in the export.",
    "taken.empty": "{name}: it holds no messages.",
    "taken.longer": "{name}: it was here already; what is new in it ({count} messages) was added.",
    "taken.copy": "{name}: it is here already with other messages, so this one is a copy beside it.",
    "taken.message": "{name}: a message could not be read: {reason}.",
    "taken.unknown": "{name}: not recognised as a conversation.",
    "taken.broken": "{name}: it could not be read ({reason}).",
    "taken.sender": "{name}: a message by {sender} was taken as the model's.",
    "taken.leftOut": "{name}: a part of type {kind} was left out.",
    "taken.file": "{name}: the file {file} is not in the export.",
    "taken.picture": "{name}: a picture or file ({kind}) is not in the export's text.",
    "taken.twice": "{name}: of messages with the same id only the first was taken in.",
    "taken.place": "{name}: a message whose place could not be told stands under the one before it.",
    "taken.noCall": "{name}: results without their calls were left out.",
    "taken.noResult": "{name}: calls without a result were marked so.",
    "task.noClosing": "The task was ended before it was done, and the model gave no closing answer. Resume goes on with it.",
    "keys.ring": "Keys are kept in this computer's key ring ({name}).",
    "keys.noRing": "This computer has no key ring: keys are kept in {path}, readable only by you.",
    "keys.file": "{reason}: keys are kept in {path}, readable only by you.",
}
LONGEST = 4000
"""Characters of a text that is looked at; a longer one is no sentence of ours."""
_END = re.compile(r"(?<=[.!?)]) (?=\S)")


class Told(Frozen):
    """A sentence or a few in English (`message`), and the same as `said` where they are known, for the page's language."""

    message: str
    said: tuple[Saying, ...] = ()


def told(message: str) -> Told:
    return Told(message=message, said=recognised(message))


def recognised(text: str) -> tuple[Saying, ...]:
    """The known sentences that `text` is made of, in their order; none where a part of it is not known."""
    return tuple(saying(key, **dict(holes)) for key, holes in _sentences(text)) if 0 < len(text) <= LONGEST else ()


@functools.lru_cache(maxsize=512)
def _sentences(text: str) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    for end in _END.finditer(text):
        first = _sentence(text[: end.start()])
        if first is not None and (rest := _sentences(text[end.end() :])):
            return (first, *rest)
    whole = _sentence(text)
    return () if whole is None else (whole,)


def _sentence(text: str) -> tuple[str, tuple[tuple[str, str], ...]] | None:
    for key, pattern in _patterns():
        if (found := pattern.fullmatch(text)) is not None:
            return key, tuple(found.groupdict().items())
    return None


@functools.cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Those that leave least to guess come first."""
    known = sorted((CAUSES | TOLD).items(), key=lambda one: -len(re.sub(r"{\w+}", "", one[1])))
    return tuple((key, _pattern(sentence)) for key, sentence in known)


def _pattern(sentence: str) -> re.Pattern[str]:
    parts = re.split(r"{(\w+)}", sentence)
    spelled = (re.escape(part) if at % 2 == 0 else f"(?P<{part}>.+?)" for at, part in enumerate(parts))
    return re.compile("".join(spelled), re.DOTALL)
