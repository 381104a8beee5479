"""Floor 0: messages, cards, UI commands, events and the task loop; pydantic and the standard library only."""
