/** English words of the settings; the words of single settings come with their schema. */
import { data } from "./data";
import { knowledge } from "./knowledge";
import { memory } from "./memory";
import { models } from "./models";
import { servers } from "./servers";

const pages = {
  "settings.title": "Settings",
  "settings.back": "Back to the conversation",
  "settings.toList": "Back to the list",
  "settings.again": "Try again",
  "settings.save": "Save",
  "settings.models": "Models",
  "settings.servers": "MCP servers",
  "settings.appearance": "Appearance",
  "settings.about": "About {name}",
  "settings.unread": "This could not be read",
  "settings.theme": "Theme",
  "settings.option.system": "As the system",
  "settings.option.ask": "Ask before changes",
  "settings.option.reads": "Only reads, never ask",
  "settings.option.all": "Allow everything",
  "settings.option.none": "Allow nothing",
  "settings.mode.ask": "Reading runs at once. What changes something or reaches out asks you first.",
  "settings.mode.reads": "Reading runs at once. Everything else is denied.",
  "settings.mode.all": "Nothing asks. For work you watch, with tools you trust.",
  "settings.mode.none": "No tool runs, demos included.",
  "settings.option.off": "Off",
  "settings.option.low": "Low",
  "settings.option.medium": "Medium",
  "settings.option.high": "High",
  "settings.modelDefault": "As the model does",
  "settings.fault.number": "This must be a number",
  "settings.fault.whole": "This must be a whole number",
  "settings.fault.low": "At least {bound}",
  "settings.fault.high": "At most {bound}",
  "settings.fault.empty": "This cannot be empty",
  "settings.approvalsNote":
    "What you allow with “Always” stays allowed. Folders, addresses and the schemes of links are guarded in every mode.",
  "settings.used": "What was used",
  "settings.usedLead":
    "In the last 30 days, on this computer. Costs are the provider's own figure, else reckoned with prices of {day}; “+” means that some answers have no known price.",
  "settings.usedNone": "Nothing yet.",
  "settings.usedDay": "Day",
  "settings.usedModel": "Model",
  "settings.usedIn": "In",
  "settings.usedOut": "Out",
  "settings.usedCost": "Cost",
  "settings.grants": "What you allowed",
  "settings.grants.none": "Nothing yet: every change asks first.",
  "settings.grants.allTools": "all its tools",
  "settings.grants.everywhere": "in every conversation",
  "settings.grants.conversation": "in “{title}”",
  "settings.grants.takeBack": "Take back",
  "settings.aboutText": "A desktop client for models and their tools. Free, under the MIT licence.",
  "settings.home": "Your data",
  "settings.keysWhere": "Your keys",
  "settings.telemetry": "Telemetry",
  "settings.noTelemetry": "None. Nothing leaves this computer but what you send to a provider or a server.",
} as const;

export const settings = { ...pages, ...servers, ...models, ...memory, ...knowledge, ...data } as const;
