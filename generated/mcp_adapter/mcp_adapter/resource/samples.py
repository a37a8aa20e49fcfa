"""The records, connections and tokens of the sample archive, the same on every machine.

`python -m mcp_adapter.resource.samples` prints the records. The tokens are as public as this file:
only the sample archive accepts them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from mcp_adapter.resource.catalogue import CONNECTORS

Payload = dict[str, str | int | float | bool]

BEGINNING = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)
"""The time of the oldest sample."""

PEOPLE = ("ada", "bela", "chidi", "dora", "emeka")
SUBJECTS = ("Harbour plan", "Lighthouse keys", "Ferry timetable", "Crane inspection", "Net repairs")
BODIES = (
    "The harbour plan needs one more look before the ferry sails.",
    "Who has the lighthouse keys? The lamp wants oil <mark>before dusk.",
    "Ferry leaves at nine, and the crane is out of order again.",
    "Inspection of the crane is done; the harbour may open.",
    "Nets are mended, the [old] ones are in the shed by the lighthouse.",
)
ROOMS = ("quay", "workshop", "canteen")
SHOPS = ("Gull & Sons", "Rope Walk", "Chandlery")
ARTICLES = ("rope", "lamp oil", "paint", "tar")
MOODS = ("windy harbour", "calm sea", "fog at the lighthouse")


@dataclass(frozen=True)
class Connection:
    """A connected source. `display_name` is `""` for a source without a name."""

    connection_id: str
    connector_key: str
    display_name: str
    records: int


@dataclass(frozen=True)
class Bearer:
    """A token. A token of the kind `grant` opens the connections of its package; a token of the
    kind `owner` or `control-plane` opens every connection."""

    token: str
    kind: str
    subject: str
    package: str = ""


@dataclass(frozen=True)
class Sample:
    """A record."""

    connection_id: str
    stream: str
    record_id: str
    emitted_at: str
    payload: Payload


SMALL = (
    Connection("conn_mail_home", "paperplane", "Home mail", 40),
    Connection("conn_chat_crew", "tin_can", "Crew chat", 30),
)
MANY = tuple(
    Connection(f"conn_{key}_{number:02}", key, f"{key} {number}" if number % 3 else "", 4)
    for key in CONNECTORS
    for number in range(1, 13)
)
PACKAGES = {"one": SMALL[:1], "two": SMALL, "many": MANY}
"""The connections of each package; a package is a group of grants."""

BEARERS = (
    *(Bearer(f"grant_sample_{name}", "grant", f"client-{name}", name) for name in PACKAGES),
    Bearer("owner_sample", "owner", "the-owner"),
    Bearer("control_sample", "control-plane", "the-operator"),
    # An older token, without a prefix for its kind.
    Bearer("0f8e1f0c52a94f0e", "owner", "the-owner"),
)


def samples() -> Iterator[Sample]:
    """Yields every record by connection and stream, the oldest first."""
    for connection in (*SMALL, *MANY):
        for stream in CONNECTORS[connection.connector_key]:
            for number in range(1, connection.records + 1):
                yield _sample(connection, stream.name, number)


def _sample(connection: Connection, stream: str, number: int) -> Sample:
    event_time = BEGINNING + timedelta(hours=5 * number, minutes=7 * len(connection.connection_id))
    collection_time = event_time + timedelta(days=30)
    payload = _PAYLOADS[connection.connector_key, stream](number, _format_time(event_time))
    record_id = f"{stream[:2]}-{number:04}"
    return Sample(
        connection.connection_id, stream, record_id, _format_time(collection_time), payload
    )


def _mail(number: int, moment: str) -> Payload:
    return {
        "subject": f"{SUBJECTS[number % 5]} {number}",
        "sender": f"{PEOPLE[number % 5]}@harbour.example",
        "recipient": f"{PEOPLE[(number + 1) % 5]}@harbour.example",
        "body": BODIES[number % 5],
        "sent_at": moment,
        "size": 900 + 37 * number,
        "unread": number % 4 == 0,
    }


def _attachment(number: int, moment: str) -> Payload:
    return {
        "message_id": f"me-{number:04}",
        "filename": f"{SUBJECTS[number % 5].lower().replace(' ', '-')}-{number}.pdf",
        "media_type": "application/pdf" if number % 2 else "image/png",
        "size": 20_000 + 111 * number,
    }


def _chat(number: int, moment: str) -> Payload:
    return {
        "sender": PEOPLE[number % 5],
        "room": ROOMS[number % 3],
        "body": BODIES[(number + 2) % 5],
        "sent_at": moment,
        "reactions": number % 7,
    }


def _room(number: int, moment: str) -> Payload:
    name = f"{ROOMS[number % 3]}-{number}"
    return {"name": name, "topic": BODIES[number % 5], "members": 3 + number % 9}


def _event(number: int, moment: str) -> Payload:
    return {
        "title": f"{SUBJECTS[number % 5]} meeting {number}",
        "place": ROOMS[number % 3],
        "starts_at": moment,
        "minutes": 15 * (1 + number % 4),
    }


def _purchase(number: int, moment: str) -> Payload:
    return {
        "shop": SHOPS[number % 3],
        "article": ARTICLES[number % 4],
        "amount": 2.5 * number,
        "currency": "EUR",
        "paid_at": moment,
    }


def _walk(number: int, moment: str) -> Payload:
    return {"started_at": moment, "metres": 900 + 250 * number, "mood": MOODS[number % 3]}


_PAYLOADS = {
    ("paperplane", "messages"): _mail,
    ("paperplane", "attachments"): _attachment,
    ("tin_can", "messages"): _chat,
    ("tin_can", "rooms"): _room,
    ("sundial", "events"): _event,
    ("pantry", "purchases"): _purchase,
    ("footpath", "walks"): _walk,
}


def _format_time(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


if __name__ == "__main__":
    for sample in samples():
        print(sample)
