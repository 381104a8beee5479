"""What is kept: conversations, tasks, cards' states, grants, usage and blobs, in one SQLite file.

    store = Store.open(home)                       # sync, milliseconds; StoreError(kind, message) in words for a person
    row = await store.conversations.create(ConversationOptions(system="…"))
    await store.tasks.begin(task_id, row.id, {…})  # StoreError "busy" while one runs there, also in another process
    await store.messages.append(row.id, message, durable=True)
    await store.messages.save_partial(row.id, running)      # every 250 ms; final with `append` of the same id
    await store.tasks.checkpoint(row.id, "round", seq)      # durable, and everything appended before it with it
    await store.tasks.end(task_id, "done")
    store.close()

| part | has |
|---|---|
| `conversations` | create get all rename set_options set_pinned set_folder delete undelete reserve_seq |
| `messages` | append save_partial branch(last=) get partials siblings set_head(deepest=) copy_branch |
| `tasks` | begin end interrupted elsewhere ask_stop stop_asked let_go last checkpoint last_checkpoint |
| `cards` | save all (of CardPress) |
| `grants` | add all remove remove_server (kinds "approval" and "ui_command") |
| `usage` | of_conversation by_day by_model (rows are written by `append`) |
| `blobs` | put get row path read_text: `app.core.ports.Blobs` |
| `kept` | get set remove change: small JSON under a key |
| `archive` | json_text export_json markdown import_file import_bytes (ours and other programs' exports) |
| `search(text)` | hits with snippet and marks, titles first |
| `Store` | together upkeep back_up backups restore purge unclean |

What returned is committed: it outlives any end of the process; what is `durable` (and task begins, ends, checkpoints,
grants) also a power cut. Sequence numbers: take them with `reserve_seq`, a thousand at a time, and they rise over
restarts though none is written. Commands run in order on one writer thread, reads on two others.
"""

from app.store.backups import made_at
from app.store.blobs import BlobRow, StoredBlobs, TextPage
from app.store.cards import CardPress
from app.store.conversations import ConversationOptions, ConversationRow
from app.store.errors import StoreError, StoreErrorKind
from app.store.failpoints import FAILPOINTS, failpoint
from app.store.grants import Grant
from app.store.lanes import Work
from app.store.planned import plan_restore, planned_restore
from app.store.report import ImportReport
from app.store.search import SearchHit
from app.store.store import Store, Upkeep
from app.store.tasks import CheckpointReason, CheckpointRow, EndReason, TaskRow
from app.store.usage import UsageSum

__all__ = [
    "FAILPOINTS",
    "BlobRow",
    "CardPress",
    "CheckpointReason",
    "CheckpointRow",
    "ConversationOptions",
    "ConversationRow",
    "EndReason",
    "Grant",
    "ImportReport",
    "SearchHit",
    "Store",
    "StoreError",
    "StoreErrorKind",
    "StoredBlobs",
    "TaskRow",
    "TextPage",
    "Upkeep",
    "UsageSum",
    "Work",
    "failpoint",
    "made_at",
    "plan_restore",
    "planned_restore",
]
