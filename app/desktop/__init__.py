"""Floor 4: the window. It holds the page, and does for it what a page cannot: size, place, notifications, one instance."""
