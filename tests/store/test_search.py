"""Search: words and parts of words, accents, Chinese and Japanese, titles, deleted and changed messages."""

import pytest

from app.core.messages import now_ms
from app.store import Store
from tests.store.stories import answered, calling, reply, told, user

TEXTS = {
    "es": "¿Puedes buscar unos auriculares con cancelación de ruido en la tienda?",
    "zh": "请帮我找一副降噪耳机,价格不要太贵",
    "ja": "東京の天気を教えてください。猫カフェも探して",
    "en": 'The quick brown fox jumps over the lazy dog; it said "AI is fun"',
}


@pytest.fixture
async def languages(store: Store) -> dict[str, str]:
    """The conversation's id for each language."""
    return {language: (await told(store, text))[0] for language, text in TEXTS.items()}


@pytest.mark.parametrize(
    ("query", "language"),
    [
        ("auriculares", "es"),
        ("cancelacion", "es"),
        ("CANCELACIÓN", "es"),
        ("ruido tienda", "es"),
        ("降噪耳机", "zh"),
        ("耳机", "zh"),
        ("贵", "zh"),
        ("天気を教えて", "ja"),
        ("東京", "ja"),
        ("猫", "ja"),
        ("カフェ", "ja"),
        ("uick bro", "en"),
        ("ai", "en"),
        ('"AI', "en"),
        ("fox jumps ai z", "en"),
        (";", "en"),
    ],
)
async def test_a_word_or_a_part_of_one_finds_its_message(
    store: Store, languages: dict[str, str], query: str, language: str
) -> None:
    hits = await store.search(query)
    assert [hit.conversation_id for hit in hits] == [languages[language]]
    assert hits[0].marks
    assert all(end > start for start, end in hits[0].marks)


@pytest.mark.parametrize(
    "query", ["", "   ", "zebra", "ZZ", "犬", "耳环", "fox zebra", '"', "' OR 1=1 --", "NEAR(", "a* NOT b"]
)
async def test_what_is_nowhere_finds_nothing_and_breaks_nothing(store: Store, query: str) -> None:
    await told(store, "plain words", "and more of them")
    assert await store.search(query) == []


async def test_titles_come_first_and_the_newest_messages_next(store: Store) -> None:
    old, _ = await told(store, "about whales, an old one")
    new, _ = await told(store, "about whales, a new one")
    titled, _ = await told(store, "nothing of the kind")
    await store.conversations.rename(titled, "Whales")
    hits = await store.search("whales")
    assert [(hit.conversation_id, hit.message_id is None) for hit in hits] == [(titled, True), (new, False), (old, False)]


async def test_the_snippet_holds_the_place_and_marks_it(store: Store) -> None:
    await told(store, "x" * 5000 + " la canción buscada " + "y" * 5000)
    hit = (await store.search("cancion"))[0]
    start, end = hit.marks[0]
    assert hit.snippet[start:end] == "canción"
    assert len(hit.snippet) <= 200


async def test_the_texts_of_cards_are_found(store: Store) -> None:
    conversation, messages = await told(store, "cart please")
    call = calling(messages[0].id)
    result = answered(call.id)
    await store.messages.append(conversation, call, durable=False)
    await store.messages.append(conversation, result, durable=False)
    assert [hit.message_id for hit in await store.search("auriculares")] == [result.id]


async def test_a_partial_is_found_once_it_is_whole_and_a_changed_message_by_its_new_text(store: Store) -> None:
    conversation, messages = await told(store, "q")
    message = reply("elephants", messages[0].id)
    await store.messages.save_partial(conversation, message)
    assert await store.search("elephants") == []
    await store.messages.append(conversation, message, durable=False)
    assert len(await store.search("elephants")) == 1
    changed = reply("giraffes", messages[0].id).model_copy(update={"id": message.id})
    await store.messages.append(conversation, changed, durable=False)
    assert await store.search("elephants") == []
    assert await store.search("el") == []
    assert len(await store.search("giraffes")) == 1


async def test_deleted_conversations_are_not_found_and_purged_ones_leave_no_trace(store: Store) -> None:
    conversation, _ = await told(store, "the secret word is xylophone, 秘密")
    assert len(await store.search("xylophone")) == 1
    await store.conversations.delete(conversation)
    assert await store.search("xylophone") == []
    await store.purge(now_ms() + 1000)
    store.close()
    assert b"xylophone" not in store.path.read_bytes()


async def test_many_hits_are_limited_and_many_messages_are_all_indexed(store: Store) -> None:
    conversation, messages = await told(store, "start")
    parent = messages[0].id
    for number in range(120):
        message = user(f"message number {number}", parent)
        await store.messages.append(conversation, message, durable=False)
        parent = message.id
    assert len(await store.search("number", limit=10)) == 10
    assert len(await store.search("number 119")) == 1
    assert len(await store.search("message", limit=500)) == 120
