/** English words of the folders that LeoChat's own servers may use. */
export const folders = {
  "ask.folder.title": "Allow this folder?",
  "ask.folder.titleMany": "Allow these folders?",
  "ask.folder.needs":
    "needs a folder outside the allowed ones. LeoChat's own servers may then read and change everything in it.",
  "ask.folder.also":
    "This place is outside the allowed folders. Allowing the call allows this folder too, with everything in it:",
  "ask.folder.alsoMany":
    "These places are outside the allowed folders. Allowing the call allows these folders too, with everything in them:",
  "ask.folder.always": "Always",
  "ask.folder.alwaysBoth": "Always in this folder",
  "settings.folders": "Folders",
  "folders.lead":
    "The files, Excel, Word and browser servers work in these folders and nowhere else. A call for another one asks you.",
  "folders.own": "LeoChat's own folder; relative paths start here",
  "folders.missing": "This folder is not there now.",
  "folders.closed": "Not used: the system's folders, keys and settings stay closed to tools.",
  "folders.remove": "Remove",
  "folders.removeThis": "Remove {folder}",
  "folders.add": "Allow another folder",
  "folders.placeholder": "/home/me/Projects",
  "folders.allow": "Allow",
  "folders.choose": "Choose…",
  "folders.note":
    "In LeoChat's window you can also drop a folder, here or on a conversation. A browser does not tell where a dropped folder is: there, write its path. Nothing in a folder is changed by adding or removing it.",
  "folders.noPath": "The browser does not tell where this folder is. Write its path in the settings.",
  "folders.open": "Folders",
  "folders.sure": "LeoChat's own servers may then read and change everything in {folder}, in every conversation.",
  "folders.added": "Allowed: {folder}",
} as const;
