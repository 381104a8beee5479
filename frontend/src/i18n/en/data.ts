/** English words of the page for data and backups. */
export const data = {
  "data.title": "Data and backups",
  "data.backups": "Backups",
  "data.lead":
    "A copy of everything is made each day and before each update of the store, checked, and kept beside it; the newest seven.",
  "data.none": "There is none yet.",
  "data.make": "Back up now",
  "data.made": "Backed up and checked.",
  "data.back": "Go back to it…",
  "data.ask": "Go back to {when}?",
  "data.asked":
    "All conversations become again what they were then, at the next start of LeoChat. What is there now is kept in a file beside it.",
  "data.plan": "Go back at the next start",
  "data.planned": "At its next start LeoChat goes back to {when}. Close it and start it again.",
  "data.unplan": "Do not go back",
  "data.move": "All conversations",
  "data.moveLead":
    "One file with everything, pictures and cards included, for another computer or to keep. Exports of ChatGPT, Claude, LibreChat, Open WebUI and of LeoChat itself can be taken in.",
  "data.export": "Export all",
  "data.import": "Import…",
  "data.importing": "Importing…",
  "data.imported": "{conversations} conversations with {messages} messages from {program}.",
  "data.already": "{count} were here already.",
  "data.notes": "Not understood",
} as const;
