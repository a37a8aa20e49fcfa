"""Every check is explained, with an example."""

from __future__ import annotations

from mcpgen.conformance import TABLE, explain, official
from mcpgen.conformance.checks.texts import TEXTS
from mcpgen.conformance.hosts.facts import facts


def test_every_check_is_explained() -> None:
    for id, check in TABLE.items():
        text = explain(id)

        assert text is not None
        assert text.startswith(f"{id} ({check.level}, {check.profile})")
        assert all(part in text for part in (check.sentence, check.explanation, check.fix))
        assert check.url.startswith("https://")


def test_unknown_check_is_not_explained() -> None:
    assert explain("no-such-check") is None


def test_every_check_of_ours_has_an_example_and_every_example_a_check() -> None:
    assert set(TEXTS) == set(TABLE) - set(official.CHECKS)


def test_bad_and_good_example_differ() -> None:
    equal_ids = [id for id, text in TEXTS.items() if text.bad.strip() == text.good.strip()]

    assert not equal_ids
    assert all(text.bad.strip() and text.good.strip() for text in TEXTS.values())


def test_explanation_of_a_host_check_names_the_page_of_each_host() -> None:
    message = explain("host-tool-count")

    assert message is not None
    assert "OpenAI API: it rejects the whole request" in message
    assert "(read 2026-07-22)" in message
    assert "modelcontextprotocol.io" not in message


def test_universal_checks_cite_a_known_page_of_a_host() -> None:
    urls = {fact.url for host_facts in facts().values() for fact in host_facts}

    for check in TABLE.values():
        if check.profile in ("universal", "latency"):
            assert check.url in urls, check.id
