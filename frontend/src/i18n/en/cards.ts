/** English words around cards; the cards' own words come from their servers. */
export const cards = {
  "card.from": "From the server {server}",
  "card.untitled": "Card",
  "card.newer": "A newer card replaces this one",
  "card.noAction": "This button has no action",
  "card.pressed": "Pressed",
  "card.running": "Running",
  "card.queued": "Waits in the queue",
  "card.failed": "Failed, press to try again",
  "card.progress": "Progress",
} as const;
