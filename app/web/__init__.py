"""Floor 3: the only room that knows HTTP: the guard, the routes, one WebSocket, its commands and frames."""
