"""A process that works with the store the way a task does, and says what was acknowledged, until it is killed."""

import asyncio
import json
import os
from multiprocessing.connection import Connection
from pathlib import Path

from app.core.messages import TextBlock
from app.store import Store, failpoints
from tests.store.stories import calling, reply, user


def say(descriptor: int, **what: object) -> None:
    """One line straight to the pipe: what was said was acknowledged before."""
    os.write(descriptor, (json.dumps(what) + "\n").encode())


def write_until_killed(home: str, pipe: Connection, failpoint: str, rounds: int) -> None:
    """Do rounds of a task in a process of one's own; end cleanly after `rounds` if nothing kills it before."""
    work_until_killed(home, pipe.fileno(), failpoint, rounds)


def work_until_killed(home: str, descriptor: int, failpoint: str, rounds: int) -> None:
    failpoints.arm(failpoint)
    asyncio.run(work(Path(home), descriptor, rounds))


async def work(home: Path, descriptor: int, rounds: int) -> None:
    store = Store.open(home)
    row = await store.conversations.create(title="kept")
    say(descriptor, conversation=row.id)
    await store.tasks.begin("task_" + row.id, row.id)
    say(descriptor, task="task_" + row.id)
    parent: str | None = None
    for number in range(rounds):
        parent = await one_round(store, row.id, parent, number, descriptor)
    await store.upkeep()
    await store.tasks.end("task_" + row.id, "done")
    say(descriptor, ended=True)
    store.close()


async def one_round(store: Store, conversation: str, parent: str | None, number: int, descriptor: int) -> str:
    seq = await store.conversations.reserve_seq(conversation, 10)
    say(descriptor, seq=seq + 10)
    prompt = user(f"prompt {number}", parent)
    await store.messages.append(conversation, prompt, durable=True)
    say(descriptor, message=prompt.id)
    call = calling(prompt.id)
    for length in (10, 100):
        partial = call.model_copy(update={"blocks": (TextBlock(text="x" * length),), "stop_reason": None})
        await store.messages.save_partial(conversation, partial)
    await store.messages.append(conversation, call, durable=False)
    say(descriptor, message=call.id)
    ref = await store.blobs.put(f"result {number}".encode() * 100, "text/plain")
    say(descriptor, blob=ref)
    last = reply(f"answer {number}", call.id)
    await store.messages.append(conversation, last, durable=False)
    await store.tasks.checkpoint(conversation, "round", seq + 10)
    say(descriptor, message=last.id, checkpoint=seq + 10)
    return last.id
