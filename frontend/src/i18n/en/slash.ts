/** English words of the slash commands that the page itself does, and of the help. */
export const slash = {
  "slash.label": "Commands",
  "slash.new": "New conversation",
  "slash.settings": "Open the settings",
  "slash.servers": "Open the servers",
  "slash.export": "Save this conversation as Markdown",
  "slash.help": "Show commands and keys",
  "slash.done": "Done: /{name}",
  "slash.nothing": "There is no conversation to save yet",
  "help.title": "Commands and keys",
  "help.commands": "Begin a message with",
  "help.keys": "Keys",
  "help.send": "Send",
  "help.line": "New line",
} as const;
