/** Which addresses may be opened or loaded; the backend checks again, this keeps the page from offering others. */

const OPENABLE = new Set(["http:", "https:", "mailto:"]);
const DATA_PICTURE = /^data:image\/(png|jpeg|gif|webp|avif|svg\+xml)[;,]/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/** The address as it would be opened (http, https or mailto, no user info, no control characters), else null. */
export function openable(address: string): string | null {
  const url = parse(address);
  return url && OPENABLE.has(url.protocol) && !url.username && !url.password ? url.href : null;
}

/** True for a picture inside its own address, of a type the page draws; these need no request. */
export const isDataPicture = (address: string): boolean => DATA_PICTURE.test(address);

/** The host of a remote http(s) picture, else null. */
export function pictureHost(address: string): string | null {
  const safe = openable(address);
  if (!safe || safe.startsWith("mailto:")) return null;
  return new URL(safe).host;
}

function parse(address: string): URL | null {
  if (CONTROL.test(address) || !URL.canParse(address)) return null;
  return new URL(address);
}
