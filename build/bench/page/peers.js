/** Peers of the page, over the same socket: text a line, marked with DOMPurify anew each frame, react-markdown. */
import DOMPurify from "dompurify";
import { marked } from "marked";
import { createElement } from "react";
import { createRoot } from "react-dom/client";
import Markdown from "react-markdown";
import remarkGfm from "remark-gfm";

const { party, token } = window.bench;
const box = document.getElementById("box");
const root = party === "react-markdown" ? createRoot(box) : null;
let text = "";
let planned = false;

function draw() {
  planned = false;
  if (root) root.render(createElement(Markdown, { remarkPlugins: [remarkGfm] }, text));
  else box.innerHTML = DOMPurify.sanitize(marked.parse(text));
  box.parentElement.scrollTop = box.parentElement.scrollHeight;
}

/** The floor: a line of plain text is a node, and is never touched again once the next begins. */
function write(piece) {
  const lines = piece.split("\n");
  let last = box.lastChild ?? box.appendChild(document.createElement("div"));
  lines.forEach((line, at) => {
    if (at) last = box.appendChild(document.createElement("div"));
    last.append(line);
  });
  box.parentElement.scrollTop = box.parentElement.scrollHeight;
}

function take(piece) {
  text += piece;
  if (party === "floor") write(piece);
  else if (!planned) {
    planned = true;
    requestAnimationFrame(draw);
  }
}

const socket = new WebSocket(`ws://${location.host}/ws`);
const send = (command) => socket.send(JSON.stringify(command));
socket.onopen = () => {
  send({ type: "hello", token });
  send({ type: "new_conversation", id: "1" });
};
socket.onmessage = ({ data }) => {
  const told = JSON.parse(data);
  if (told.reply_to === "1") {
    window.bench.conversation = told.data.conversation_id;
    send({ type: "open", id: "2", conversation_id: told.data.conversation_id });
  }
  if (told.event?.type === "block_delta") take(told.event.text);
  if (told.event?.type === "task_end") requestAnimationFrame(() => requestAnimationFrame(() => (window.bench.over = true)));
};
window.bench.say = (words) =>
  send({ type: "send_message", id: "3", conversation_id: window.bench.conversation, text: words, attachments: [] });
