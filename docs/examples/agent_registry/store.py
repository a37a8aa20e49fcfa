"""The storage of the registry: registrations in SQLite, signs of life of endpoints in Redis."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator

from docs.examples.agent_registry.domain import (
    Agent,
    Capability,
    Endpoint,
    Liveness,
    Sought,
)
from redis import Redis

_TABLES = """
create table if not exists agents (
    number integer primary key, id text unique, name text, description text
);
create table if not exists capabilities (
    number integer primary key, agent text, name text, description text,
    foreign key (agent) references agents (id) on delete cascade
);
create table if not exists tags (
    capability integer, tag text,
    foreign key (capability) references capabilities (number) on delete cascade
);
create table if not exists endpoints (
    number integer primary key, id text unique, agent text, name text, transport text,
    protocol text, address text, liveness text, seconds integer, card text,
    foreign key (agent) references agents (id) on delete cascade
);
create index if not exists capabilities_by_agent on capabilities (agent, name);
create index if not exists tags_by_capability on tags (capability, tag);
create index if not exists endpoints_by_agent on endpoints (agent);
"""

_MATCHING = """
from agents a where
    (:name = '' or instr(folded(a.name), folded(:name)) > 0)
    and (:capability = '' or exists (
        select 1 from capabilities c where c.agent = a.id and c.name = :capability))
    and (:tags = 0 or exists (
        select 1 from capabilities c where c.agent = a.id {tagged}))
    and exists (
        select 1 from endpoints e where e.agent = a.id
        and (:protocol = '' or lower(e.protocol) = lower(:protocol))
        and (:transport = '' or lower(e.transport) = lower(:transport))
        and (not :live or e.id in (select value from json_each(:live_ids))))
"""
"""What somebody looks for: one endpoint has to be all that is asked of endpoints, and one capability has
to have all tags."""

_TAGGED = "and exists (select 1 from tags where capability = c.number and tag = :tag_{number})"
"""One of the tags; each by itself, so that most capabilities are left at the first that they lack."""


LIVENESS = "agent-registry:liveness"
"""The sorted set in Redis: endpoint ids, scored with the time until which each endpoint is alive."""


class Store:
    """Agents in the SQLite file `path`, liveness in the Redis at `redis_url`. `now` returns the time in
    seconds."""

    def __init__(self, path: str, redis_url: str, now: Callable[[], float]) -> None:
        self._now = now
        self._redis = Redis.from_url(redis_url, decode_responses=True)
        self._base = sqlite3.connect(path, check_same_thread=False)
        self._base.create_function("folded", 1, str.casefold, deterministic=True)
        self._base.execute("pragma foreign_keys = on")
        self._base.executescript(_TABLES)

    def close(self) -> None:
        """Closes both connections."""
        self._base.close()
        self._redis.close()

    def add(self, agent: Agent) -> None:
        """Takes an agent in; its endpoints are alive from now on."""
        with self._base:
            self._base.execute(
                "insert into agents (id, name, description) values (?, ?, ?)",
                (agent.id, agent.name, agent.description),
            )
            for capability in agent.capabilities:
                number = self._base.execute(
                    "insert into capabilities (agent, name, description) values (?, ?, ?)",
                    (agent.id, capability.name, capability.description),
                ).lastrowid
                rows = [(number, tag) for tag in capability.tags]
                self._base.executemany("insert into tags values (?, ?)", rows)
            for endpoint in agent.endpoints:
                self._add_endpoint(agent.id, endpoint)

    def _add_endpoint(self, agent: str, each: Endpoint) -> None:
        card = None if each.card is None else json.dumps(each.card)
        named = (each.id, agent, each.name, each.transport, each.protocol, each.address)
        self._base.execute(
            "insert into endpoints values (null, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (*named, each.liveness, each.seconds, card),
        )
        self.renew(each)

    def remove(self, id: str) -> bool:
        """Takes an agent out; whether there was one."""
        for endpoint in self._endpoints(id):
            self._redis.zrem(LIVENESS, endpoint.id)
        with self._base:
            return self._base.execute("delete from agents where id = ?", (id,)).rowcount > 0

    def agent(self, id: str) -> Agent | None:
        """The agent of an id, None where there is none."""
        row = self._base.execute(
            "select id, name, description from agents where id = ?", (id,)
        ).fetchone()
        if row is None:
            return None
        _, name, description = row
        capabilities, endpoints = tuple(self._capabilities(id)), tuple(self._endpoints(id))
        return Agent(id, name, description, capabilities, endpoints)

    def renew(self, endpoint: Endpoint) -> None:
        """Records a sign of life; forgets endpoints that are no longer alive."""
        self._redis.zadd(LIVENESS, {endpoint.id: self._now() + endpoint.lasts})
        self._redis.zremrangebyscore(LIVENESS, "-inf", self._now())

    def is_live(self, endpoint: Endpoint) -> bool:
        """Whether the last sign of life still counts."""
        until = self._redis.zscore(LIVENESS, endpoint.id)
        return until is not None and until > self._now()

    def found(self, asked: Sought) -> tuple[list[Agent], int]:
        """The agents of one page in the order of their registration, and how many there are in all."""
        values = {
            "name": asked.name,
            "capability": asked.capability,
            "tags": len(asked.tags),
            **{f"tag_{number}": tag for number, tag in enumerate(asked.tags)},
            "protocol": asked.protocol,
            "transport": asked.transport,
            "live": asked.live,
            "live_ids": json.dumps(
                self._redis.zrange(LIVENESS, f"({self._now()}", "inf", byscore=True)
            ),
            "most": asked.page_size,
            "before": (asked.page - 1) * asked.page_size,
        }
        tagged = " ".join(_TAGGED.format(number=number) for number in range(len(asked.tags)))
        matching = _MATCHING.format(tagged=tagged)
        (total,) = self._base.execute(f"select count(*) {matching}", values).fetchone()
        paged = f"select a.id {matching} order by a.number limit :most offset :before"
        ids = [id for (id,) in self._base.execute(paged, values)]
        return [agent for id in ids if (agent := self.agent(id))], total

    def _capabilities(self, agent: str) -> Iterator[Capability]:
        rows = self._base.execute(
            "select number, name, description from capabilities where agent = ? order by number",
            (agent,),
        ).fetchall()
        for number, name, description in rows:
            told = "select tag from tags where capability = ? order by rowid"
            tags = tuple(tag for (tag,) in self._base.execute(told, (number,)))
            yield Capability(name, description, tags)

    def _endpoints(self, agent: str) -> Iterator[Endpoint]:
        rows = self._base.execute(
            "select id, name, transport, protocol, address, liveness, seconds, card"
            " from endpoints where agent = ? order by number",
            (agent,),
        ).fetchall()
        for id, name, transport, protocol, address, liveness, seconds, card in rows:
            held = None if card is None else json.loads(card)
            model = Liveness(liveness)
            yield Endpoint(id, name, transport, protocol, address, model, seconds, held)
