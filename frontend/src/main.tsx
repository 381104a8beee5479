/** Starts the page: key, language, theme, socket, keys; then draws it. */
import { effect } from "@preact/signals";
import { render } from "preact";
import { listenForKeys } from "./actions/keys";
import { registerWindowActions } from "./actions/window";
import { appName, settingOf, settings } from "./desk";
import { focusAsked, keepDrafts } from "./drafts";
import { takeFrame } from "./frames";
import { language, languages, pickLanguage, setLanguage, t } from "./i18n";
import { followMaterial } from "./material";
import { followEarlier, keptConversation, openConversation, resumePoints, shown } from "./opening";
import { complain } from "./parts/complain";
import { services } from "./pictures";
import { measureScrollbar } from "./scrollbar";
import { ServicesContext } from "./services";
import { offered } from "./slash";
import { ask, link, openSocket } from "./socket";
import { followTheme } from "./theme";
import { takeToken } from "./token";
import "./styles/index.css";
import { Shell } from "./views/Shell";

/** The backend's language is the page's, so that cards and buttons speak alike; until it is told, the browser's. */
function followLanguage(): void {
  effect(() => {
    const used = settingOf("general.language_used");
    setLanguage(languages.find(({ id }) => id === used)?.id ?? pickLanguage(navigator.languages));
  });
}

/** The backend's slash commands, in the language on show. */
function followSlash(): void {
  effect(() => {
    language.value;
    if (link.value !== "open") return;
    ask({ type: "slash_list" }).then((told) => {
      offered.value = told.commands;
    }, complain);
  });
}

function followTitle(): void {
  effect(() => {
    const info = shown.value?.info.value;
    const name = info?.title ? `${info.title} · ${appName.value}` : appName.value;
    document.title = info?.waiting ? t("title.waiting", { title: name }) : name;
  });
}

/** What every window needs to know, asked after every (re)connection. */
function askForDesk(again: boolean): void {
  ask({ type: "list_conversations" }).catch(complain);
  ask({ type: "servers_list" }).catch(complain);
  ask({ type: "get_settings" }).then((data) => {
    settings.value = data;
  }, complain);
  tellFocus();
  const kept = again ? null : keptConversation();
  if (kept) openConversation(kept);
}

function tellFocus(): void {
  if (link.value !== "open") return;
  const focused = document.hasFocus();
  ask({ type: "focus", focused, visible: document.visibilityState === "visible" }).catch(() => undefined); // only a hint
}

/** A file dropped beside the conversation must not take the window away. */
function refuseStrayDrops(): void {
  for (const event of ["dragover", "drop"]) addEventListener(event, (dropped) => dropped.preventDefault());
}

function start(): void {
  // first of all: the line is made while the page is drawn
  const token = takeToken();
  if (token === null) link.value = "refused";
  else openSocket(token, { onFrame: takeFrame, resume: resumePoints, onOpen: askForDesk });
  followLanguage();
  followTheme();
  followTitle();
  followSlash();
  followEarlier();
  followMaterial();
  keepDrafts();
  registerWindowActions();
  listenForKeys();
  refuseStrayDrops();
  measureScrollbar();
  focusAsked.value += 1;
  for (const event of ["focus", "blur"]) addEventListener(event, tellFocus);
  document.addEventListener("visibilitychange", tellFocus);
  const root = document.getElementById("app");
  if (!root) return;
  render(
    <ServicesContext.Provider value={services}>
      <Shell />
    </ServicesContext.Provider>,
    root,
  );
}

start();
