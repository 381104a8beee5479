/** Starts the page. */
import { render } from "preact";
import { pickLanguage, setLanguage } from "./i18n";
import "./styles/index.css";
import { Shell } from "./views/Shell";

setLanguage(pickLanguage(navigator.languages));
const root = document.getElementById("app");
if (root) render(<Shell />, root);
