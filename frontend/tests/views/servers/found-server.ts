/** What the backend says of a pasted text or picked file, in tests. */
import type { Blank, FoundServer, ServersFound } from "../../../src/wire";

export const blank = (key: string, more: Partial<Blank> = {}): Blank => ({
  key,
  title: key,
  description: "",
  kind: "text",
  required: false,
  secret: false,
  multiple: false,
  default: [],
  choices: [],
  least: null,
  most: null,
  ...more,
});

export const foundServer = (more: Partial<FoundServer>): FoundServer => ({
  name: "thing",
  title: "",
  description: "",
  version: "",
  transport: more.url ? "http" : "stdio",
  command: [],
  url: null,
  variables: [],
  headers: [],
  blanks: [],
  notes: [],
  ...more,
});

export const found = (servers: Partial<FoundServer>[], more: Partial<ServersFound> = {}): ServersFound => ({
  servers: servers.map(foundServer),
  notes: [],
  bundle: false,
  ...more,
});
