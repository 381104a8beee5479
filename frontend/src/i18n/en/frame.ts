/** English words of the frame: the list, the header, the empty conversation, composer and status line. */
export const frame = {
  "list.label": "Conversations",
  "list.new": "New conversation",
  "list.search": "Search conversations",
  "list.hide": "Hide the list",
  "list.show": "Show the list",
  "list.empty": "No conversations yet",
  "list.emptyHint": "They appear here, newest first.",
  "frame.servers": "Servers",
  "frame.settings": "Settings",
  "composer.placeholder": "Ask Leo, or type / for commands",
  "composer.send": "Send",
  "welcome.title": "Ready when you are",
  "welcome.safe": "Whatever changes something asks you first.",
  "welcome.try": "Try it",
} as const;
