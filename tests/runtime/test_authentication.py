"""Authentication of callers: keys, signed tokens, introspected tokens, and forged credentials."""

from __future__ import annotations

import asyncio
import base64
import gc
import hashlib
import hmac
import json
import logging
import re
import time
import traceback
from collections.abc import AsyncIterator
from typing import Any

import jwt
import pytest
from tests.runtime.auth_servers import (
    door,
    entry,
    introspection_settings,
    settings,
    signed_token_settings,
)
from tests.runtime.issuer import NAME, PUBLIC, RESOURCE, JwtIssuer, elliptic, issuing, rsa_key

from mcpgen_runtime.auth import tokens
from mcpgen_runtime.auth.api_keys import main
from mcpgen_runtime.auth.authentication import Authentication
from mcpgen_runtime.auth.config import AuthConfig, AuthError

pytestmark = pytest.mark.anyio

KEY = "a-key-of-ada"


@pytest.fixture
async def issuer() -> AsyncIterator[JwtIssuer]:
    """Issuer whose tokens the servers accept."""
    async with issuing() as running:
        yield running


def parts(token: str, **header: Any) -> str:
    """Returns the token with another header and the old signature."""
    _, claims, signature = token.split(".")
    return f"{encode_json_part(header)}.{claims}.{signature}"


def encode_json_part(value: Any) -> str:
    """JSON as a part of a token."""
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


async def test_a_key_says_whose_it_is_and_what_it_may_do() -> None:
    keys = [entry(KEY, scopes=["read"], roles=["admin"])]

    async with door(settings(caller_keys=keys)) as front:
        assert await front.subject(KEY) == "ada|read|admin"


async def test_a_key_without_scopes_has_none_and_one_with_null_needs_none() -> None:
    keys = [entry(KEY, "none"), entry("operator-key", "operator", scopes=None)]

    async with door(settings(caller_keys=keys)) as front:
        assert await front.subject(KEY) == "none"
        assert await front.subject("operator-key") == "operator|everything"


async def test_a_key_may_come_in_a_header_of_its_own() -> None:
    async with door(
        settings(caller_keys=[entry(KEY)]), AuthConfig(key_header="X-API-Key")
    ) as front:
        assert await front.subject(X_API_Key=KEY) == "ada"
        assert (await front.refused(X_API_Key="made-up")).startswith("401 invalid_token")


async def test_keys_come_from_a_file_too(tmp_path: Any) -> None:
    (tmp_path / "keys.json").write_text(json.dumps([entry("filed")]))
    caller_settings = settings(
        caller_keys=[entry(KEY)], caller_keys_file=str(tmp_path / "keys.json")
    )

    async with door(caller_settings) as front:
        assert await front.subject("filed") == await front.subject(KEY) == "ada"


async def test_without_a_credential_the_challenge_names_no_error_and_echoes_the_id() -> None:
    async with door(settings(caller_keys=[entry(KEY)])) as front:
        answer = await front.knock()

    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    assert answer.json() == {
        "jsonrpc": "2.0",
        "id": 7,
        "error": {
            "code": 401,
            "message": "Authentication required",
            "data": {
                "error": "invalid_token",
                "error_description": "A credential is required",
            },
        },
    }


async def test_the_code_of_a_rejection_can_be_chosen() -> None:
    async with door(settings(caller_keys=[entry(KEY)]), AuthConfig(error_code=-32001)) as front:
        assert (await front.knock()).json()["error"]["code"] == -32001


async def test_the_challenge_leads_to_the_metadata(issuer: JwtIssuer) -> None:
    async with door(signed_token_settings(issuer), AuthConfig(scopes=("read", "write"))) as front:
        answer = await front.knock("made-up")
        place = f"{PUBLIC}/.well-known/oauth-protected-resource/mcp"
        path_response = await front.http.get("/.well-known/oauth-protected-resource/mcp")
        root_response = await front.http.get("/.well-known/oauth-protected-resource")
        other_response = await front.http.get("/.well-known/oauth-protected-resource/other")

    assert answer.headers["www-authenticate"] == (
        'Bearer error="invalid_token", error_description="The credential is not known", '
        f'resource_metadata="{place}", scope="read write"'
    )
    assert answer.json()["error"]["data"]["resource"] == place
    assert path_response.json() == root_response.json()
    assert path_response.json() == {
        "resource": RESOURCE,
        "authorization_servers": [NAME],
        "bearer_methods_supported": ["header"],
        "scopes_supported": ["read", "write"],
    }
    assert other_response.status_code == 404


async def test_the_challenge_tells_older_clients_what_they_look_for(issuer: JwtIssuer) -> None:
    access = AuthConfig(challenge=("realm", "resource", "authorization_server"))

    async with door(signed_token_settings(issuer), access) as front:
        answer = await front.knock()

    place = f"{PUBLIC}/.well-known/oauth-protected-resource/mcp"
    assert answer.headers["www-authenticate"] == (
        f'Bearer realm="{RESOURCE}", resource="{place}", authorization_server="{NAME}", '
        f'resource_metadata="{place}"'
    )


async def test_the_challenge_tells_older_clients_nothing_that_is_not_there() -> None:
    access = AuthConfig(challenge=("realm", "resource", "authorization_server"))

    async with door(settings(caller_keys=[entry(KEY)], public_url=PUBLIC), access) as front:
        challenge = (await front.knock()).headers["www-authenticate"]

    assert challenge == f'Bearer realm="{RESOURCE}"'


async def test_what_is_no_message_is_refused_as_oauth_does_it(issuer: JwtIssuer) -> None:
    async with door(signed_token_settings(issuer)) as front:
        answer = await front.http.get("/mcp", headers={"Authorization": "Bearer made-up"})

    assert answer.status_code == 401
    assert answer.json() == {
        "error": "invalid_token",
        "error_description": "The credential is not known",
        "resource": f"{PUBLIC}/.well-known/oauth-protected-resource/mcp",
    }


async def test_the_metadata_names_how_answers_are_signed(issuer: JwtIssuer) -> None:
    async with door(
        signed_token_settings(issuer), AuthConfig(signing_algorithms=("RS256",))
    ) as front:
        metadata = await front.http.get("/.well-known/oauth-protected-resource")

    assert metadata.json()["resource_signing_alg_values_supported"] == ["RS256"]


async def test_the_metadata_of_a_server_below_a_path_of_a_proxy_is_found(issuer: JwtIssuer) -> None:
    caller_settings = signed_token_settings(issuer).model_copy(
        update={"public_url": f"{PUBLIC}/tools"}
    )

    async with door(caller_settings) as front:
        challenge = (await front.knock()).headers["www-authenticate"]
        metadata = await front.http.get("/.well-known/oauth-protected-resource/tools/mcp")

    place = f"{PUBLIC}/.well-known/oauth-protected-resource/tools/mcp"
    assert challenge == f'Bearer resource_metadata="{place}"'
    assert metadata.json()["resource"] == f"{PUBLIC}/tools/mcp"


async def test_probes_need_no_credential() -> None:
    async with door(settings(caller_keys=[entry(KEY)])) as front:
        assert (await front.http.get("/healthz")).status_code == 200


@pytest.mark.parametrize(
    ("headers", "refusal"),
    [
        ({"Authorization": "Bearer "}, "401 invalid_token: The credential is malformed"),
        ({"Authorization": f"Basic {KEY}"}, "401 invalid_token: Only bearer tokens are taken"),
        (
            {"Authorization": f"Bearer {KEY} {KEY}"},
            "401 invalid_token: The credential is malformed",
        ),
        (
            {"Authorization": f"Bearer {'x' * 9000}"},
            "400 invalid_request: A credential holds at most 8192 bytes",
        ),
        (
            {"Authorization": f"Bearer {KEY}", "X_API_Key": KEY},
            "400 invalid_request: More than one credential was sent",
        ),
    ],
)
async def test_a_malformed_credential_is_refused(headers: dict[str, str], refusal: str) -> None:
    async with door(
        settings(caller_keys=[entry(KEY)]), AuthConfig(key_header="X-API-Key")
    ) as front:
        assert await front.refused(**headers) == refusal


async def test_a_credential_that_comes_twice_is_refused() -> None:
    async with door(settings(caller_keys=[entry(KEY)])) as front:
        twice = [("Authorization", f"Bearer {KEY}"), ("Authorization", f"Bearer {KEY}")]
        answer = await front.http.post("/mcp", json={}, headers=twice)

    assert answer.status_code == 400


async def test_a_credential_in_the_address_is_refused_even_beside_a_good_one() -> None:
    async with door(settings(caller_keys=[entry(KEY)])) as front:
        for name in ("access_token", "ACCESS_Token", "%61ccess_token", "access%5Ftoken"):
            front.path = f"/mcp?{name}={KEY}"

            assert (await front.refused(KEY)).startswith("400 invalid_request")
            assert (await front.refused()).startswith("400 invalid_request")


async def test_an_owners_credential_is_refused_before_anybody_is_asked(issuer: JwtIssuer) -> None:
    access = AuthConfig(owner_prefixes=("sk_owner_",), owner_claims={"use": "control"})

    async with door(introspection_settings(issuer), access) as front:
        refusal = await front.refused("sk_owner_123")
        asked_paths = list(issuer.asked)
        issuer.active["t"] = issuer.claims(use=["control"])
        by_claim = await front.refused("t")

    assert refusal.startswith("403 access_denied")
    assert by_claim.startswith("403 access_denied")
    assert asked_paths == []


async def test_an_owners_credential_is_refused_beside_a_good_one_too() -> None:
    access = AuthConfig(owner_prefixes=("sk_owner_",))

    async with door(settings(caller_keys=[entry(KEY)]), access) as front:
        refusals = [
            await front.refused(KEY, X_API_Key="sk_owner_123"),
            await front.refused(X_API_Key="sk_owner_123"),
        ]

        assert await front.subject(KEY, X_API_Key="another") == "ada"
    assert all(refusal.startswith("403 access_denied") for refusal in refusals)


async def test_a_server_with_an_owners_secret_does_not_start() -> None:
    caller_settings = settings(
        caller_keys=[entry(KEY)], caller_introspection_client_secret="sk_owner_1"
    )

    with pytest.raises(ValueError, match="holds the credential of an owner") as fault:
        Authentication(caller_settings, AuthConfig(owner_prefixes=("sk_owner_",)))

    assert "sk_owner_1" not in str(fault.value)


async def test_a_signed_token_says_who_calls(issuer: JwtIssuer) -> None:
    issuer.keys.append(rsa_key("second"))

    async with door(signed_token_settings(issuer)) as front:
        for key in issuer.keys:
            token = issuer.token(key, scope="read write:kb", roles=["admin"])
            assert await front.subject(token) == "ada|read write:kb|admin"

    assert issuer.asked == ["/jwks"]


async def test_a_token_without_scopes_may_nothing_unless_it_was_said_otherwise(
    issuer: JwtIssuer,
) -> None:
    token, operator = issuer.token(), issuer.token(roles=["operator"])

    async with door(
        signed_token_settings(issuer), AuthConfig(operator_roles=("operator",))
    ) as front:
        assert await front.subject(token) == "ada"
        assert await front.subject(operator) == "ada|everything|operator"
    async with door(signed_token_settings(issuer), AuthConfig(unscoped=True)) as front:
        assert await front.subject(token) == "ada|everything"


HOUR = 3600

BAD_CLAIMS: dict[str, tuple[dict[str, Any], str]] = {
    "expired": ({"exp": time.time() - 120}, "The token has expired"),
    "not yet valid": ({"nbf": time.time() + HOUR}, "The token is not valid yet"),
    "issued in the future": ({"iat": time.time() + HOUR}, "The token is not valid yet"),
    "wrong audience": ({"aud": "https://other.example"}, "The token is for another server"),
    "audience that begins alike": ({"aud": f"{RESOURCE}/more"}, "The token is for another server"),
    "no audience": ({"aud": None}, "The token lacks a claim"),
    "audience that is no text": ({"aud": 5}, "The token is for another server"),
    "wrong issuer": ({"iss": "https://evil.example"}, "The token is from another issuer"),
    "no issuer": ({"iss": None}, "The token is from another issuer"),
    "no end": ({"exp": None}, "The token lacks a claim"),
    "end that is no number": ({"exp": "soon"}, "The token is malformed"),
    "endless": ({"exp": float("inf")}, "The token is malformed"),
    "nobody's": ({"sub": None}, "The token does not say whose it is"),
    "subject that is no text": ({"sub": 5}, "The token is malformed"),
}


@pytest.mark.parametrize("name", BAD_CLAIMS)
async def test_a_token_with_bad_claims_is_refused(issuer: JwtIssuer, name: str) -> None:
    changes, reason = BAD_CLAIMS[name]
    key = issuer.keys[0]
    claims = issuer.claims(**changes)
    signing = jwt.PyJWS().encode(json.dumps(claims).encode(), key.private, "ES256", {"kid": key.id})

    async with door(signed_token_settings(issuer)) as front:
        refusal = await front.refused(signing)

    assert refusal.startswith(f"401 invalid_token: {reason}")


async def test_clocks_may_be_half_a_minute_apart(issuer: JwtIssuer) -> None:
    now = time.time()

    async with door(signed_token_settings(issuer)) as front:
        assert await front.subject(issuer.token(exp=now - 20)) == "ada"
        assert await front.subject(issuer.token(nbf=now + 20)) == "ada"


async def test_a_forged_token_is_refused(issuer: JwtIssuer) -> None:
    valid_token = issuer.token()
    other_key = elliptic("first")
    public = issuer.keys[0].private.public_key()
    pem = public.public_bytes(*_pem())
    head, claims = encode_json_part({"alg": "HS256", "kid": "first"}), valid_token.split(".")[1]
    mac = hmac.new(pem, f"{head}.{claims}".encode(), hashlib.sha256).digest()
    hmac_token = f"{head}.{claims}.{base64.urlsafe_b64encode(mac).decode().rstrip('=')}"
    forged_tokens = {
        "wrongly signed": issuer.token(other_key),
        "unsigned": f"{encode_json_part({'alg': 'none'})}.{claims}.",
        "unsigned, in capitals": f"{encode_json_part({'alg': 'NONE', 'kid': 'first'})}.{claims}.",
        "hmac with the public key": hmac_token,
        "of another algorithm": parts(valid_token, alg="RS256", kid="first"),
        "with a critical extension": parts(valid_token, alg="ES256", kid="first", crit=["b64"]),
        "with a key of its own": parts(valid_token, alg="ES256", jwk=other_key.published()),
        "cut short": valid_token[:-4],
        "with other claims": f"{valid_token.split('.')[0]}.{encode_json_part(issuer.claims(sub='eve'))}."
        f"{valid_token.split('.')[2]}",
        "of two parts": ".".join(valid_token.split(".")[:2]),
        "no JSON": "eyJ4.eyJ4.eyJ4",
        "with a list for its algorithm": parts(valid_token, alg=["ES256"], kid="first"),
        "with an object for its algorithm": parts(valid_token, alg={"ES256": 1}, kid="first"),
        "with a number for its algorithm": parts(valid_token, alg=256, kid="first"),
        "with a list for its key": parts(valid_token, alg="ES256", kid=["first"]),
        "with keys from elsewhere": parts(
            valid_token, alg="ES256", kid="x", jku=f"{issuer.url}/evil"
        ),
    }

    async with door(signed_token_settings(issuer)) as front:
        for case, token in forged_tokens.items():
            assert (await front.refused(token)).startswith("401 invalid_token"), case
        assert await front.subject(valid_token) == "ada"
    assert set(issuer.asked) == {"/jwks"}


async def test_a_token_may_end_beyond_all_reckoning(issuer: JwtIssuer) -> None:
    token = issuer.token(exp=10**400)

    async with door(signed_token_settings(issuer)) as front:
        assert [await front.subject(token) for _ in range(2)] == ["ada", "ada"]


def _pem() -> tuple[Any, Any]:
    from cryptography.hazmat.primitives import serialization as s

    return s.Encoding.PEM, s.PublicFormat.SubjectPublicKeyInfo


@pytest.mark.parametrize(
    "raw", [b"", b"<html>", b"[]", b'{"keys": 5}', b'{"keys": []}', b" " * 300_000, b"[" * 100_000]
)
async def test_keys_that_are_none_let_nobody_in(issuer: JwtIssuer, raw: bytes) -> None:
    issuer.raw = raw

    async with door(signed_token_settings(issuer)) as front:
        answer = await front.knock(issuer.token())

    assert answer.status_code == 503
    assert answer.headers["retry-after"] == "5"


async def test_an_issuer_that_is_slow_is_not_waited_for(
    issuer: JwtIssuer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mcpgen_runtime.auth.tokens.TIMEOUT_SECONDS", 0.05)
    issuer.hold_seconds = 30

    async with door(signed_token_settings(issuer)) as front:
        assert (await front.refused(issuer.token())).startswith("503")


async def test_keys_are_not_fetched_through_a_redirect(issuer: JwtIssuer) -> None:
    issuer.status = 302

    async with door(signed_token_settings(issuer)) as front:
        assert (await front.refused(issuer.token())).startswith("503")


def test_weak_and_secret_keys_are_left_out() -> None:
    valid_key = elliptic("good").published()
    weak_key = rsa_key("weak", 1024).published()
    secret_key = {"kty": "oct", "k": "c2VjcmV0", "kid": "oct"}
    encryption_key = {**elliptic("enc").published(), "use": "enc"}

    public_keys = tokens.public_keys(
        {"keys": [valid_key, weak_key, secret_key, encryption_key, 5, {"kty": "EC"}]}
    )

    assert [key.id for key in public_keys] == ["good"]


@pytest.mark.parametrize("purpose", [5, True, {"verify": 1}, "verify", None], ids=str)
def test_a_key_that_does_not_say_properly_what_it_is_for_is_left_out(purpose: Any) -> None:
    valid_key = elliptic("good").published()

    public_keys = tokens.public_keys({"keys": [{**valid_key, "key_ops": purpose}, valid_key]})

    assert len(public_keys) == 1


async def test_a_new_key_is_fetched_once_for_all_who_need_it(issuer: JwtIssuer) -> None:
    async with door(signed_token_settings(issuer)) as front:
        await front.subject(issuer.token())
        issuer.keys.append(elliptic("second"))
        tokens = [issuer.token(sub=f"s{index}") for index in range(20)]
        subjects = await asyncio.gather(*(front.subject(token) for token in tokens))

    assert subjects == [f"s{index}" for index in range(20)]
    assert len(issuer.asked) == 2


async def test_made_up_keys_are_asked_for_at_most_once_a_second(
    issuer: JwtIssuer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tokens, "INTERVAL_SECONDS", 0.2)

    async with door(signed_token_settings(issuer)) as front:
        await front.subject(issuer.token())
        start = time.monotonic()
        strangers = [issuer.token(elliptic(f"unknown-{index}")) for index in range(30)]
        refusals = await asyncio.gather(*(front.refused(token) for token in strangers))
        duration = time.monotonic() - start

    assert all(refusal.startswith("401 invalid_token") for refusal in refusals)
    assert len(issuer.asked) <= 2 + duration / 0.2


async def test_keys_outlive_their_issuer_for_a_while_and_no_longer(
    issuer: JwtIssuer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tokens, "INTERVAL_SECONDS", 0)
    clock = [0.0]
    monkeypatch.setattr(tokens.KeySet.__init__, "__defaults__", (lambda: clock[0],))

    async with door(signed_token_settings(issuer)) as front:
        await front.subject(issuer.token())
        issuer.status = 500
        clock[0] = tokens.USABLE_SECONDS - 1
        subject = await front.subject(issuer.token(sub="late"))
        clock[0] = tokens.USABLE_SECONDS + 1
        refusal = await front.refused(issuer.token(sub="too-late"))

    assert subject == "late"
    assert refusal.startswith("503")


async def test_a_rotation_under_load_fails_no_call(
    issuer: JwtIssuer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tokens, "INTERVAL_SECONDS", 0.05)
    answers: list[int] = []
    rotation_end = asyncio.Event()

    async with door(signed_token_settings(issuer)) as front:

        async def call(worker: int) -> None:
            is_over = False
            while not is_over:
                is_over = rotation_end.is_set()
                token = issuer.token(sub=f"{worker}-{len(answers)}")
                answers.append((await front.knock(token)).status_code)
                # A call without any wait would starve the other tasks.
                await asyncio.sleep(0)

        async def rotate() -> None:
            for turn in range(4):
                await asyncio.sleep(0.05)
                issuer.keys.append(elliptic(f"turn-{turn}"))
            rotation_end.set()

        await asyncio.gather(rotate(), *(call(worker) for worker in range(8)))

    assert set(answers) == {200}
    assert len(issuer.asked) > 1


async def test_an_opaque_token_is_asked_about_once(issuer: JwtIssuer) -> None:
    issuer.active["opaque-1"] = issuer.claims(scope="read")

    async with door(introspection_settings(issuer)) as front:
        assert [await front.subject("opaque-1") for _ in range(3)] == ["ada|read"] * 3
        refusals = [await front.refused("opaque-2") for _ in range(3)]

    assert refusals == ["401 invalid_token: The token is not active"] * 3
    assert issuer.asked == ["/introspect", "/introspect"]
    pair = base64.b64encode(b"here:a%20secret").decode()
    assert set(issuer.shown) == {f"Basic {pair}"}


@pytest.mark.parametrize(
    "changes",
    [
        {"aud": None},
        {"aud": "https://other.example"},
        {"exp": 5},
        {"exp": "x"},
        {"nbf": 9e9},
        {"exp": float("nan")},
        {"exp": True},
        {"exp": 10**400},
        {"exp": -(10**400)},
        {"nbf": "x"},
        {"nbf": 10**400},
        {"nbf": float("inf")},
    ],
    ids=str,
)
async def test_what_an_issuer_calls_active_is_looked_at_all_the_same(
    issuer: JwtIssuer, changes: dict[str, Any]
) -> None:
    issuer.active["opaque"] = issuer.claims(**changes)

    async with door(introspection_settings(issuer)) as front:
        assert (await front.refused("opaque")).startswith("401 invalid_token")


async def test_a_refusal_that_is_kept_does_not_grow_with_every_request(issuer: JwtIssuer) -> None:
    async with door(introspection_settings(issuer)) as front:
        for _ in range(50):
            await front.refused("made-up")
        auth_errors = [
            auth_error for auth_error in gc.get_objects() if isinstance(auth_error, AuthError)
        ]

    assert auth_errors
    assert all(
        len(traceback.extract_tb(auth_error.__traceback__)) < 20 for auth_error in auth_errors
    )


@pytest.mark.parametrize("raw", [b"no", b"[]", b'"active"'])
async def test_an_issuer_that_talks_nonsense_lets_nobody_in(issuer: JwtIssuer, raw: bytes) -> None:
    issuer.raw = raw

    async with door(introspection_settings(issuer)) as front:
        assert (await front.refused("opaque")).startswith("503")


async def test_keys_signed_and_opaque_tokens_go_together(issuer: JwtIssuer) -> None:
    issuer.active["opaque"] = issuer.claims(sub="grace")
    caller_settings = introspection_settings(
        issuer, caller_jwks_url=f"{issuer.url}/jwks", caller_keys=[entry(KEY, "edsger")]
    )

    async with door(caller_settings) as front:
        subjects = [await front.subject(token) for token in (KEY, issuer.token(), "opaque")]

    assert subjects == ["edsger", "ada", "grace"]


async def test_anybody_is_let_in_only_with_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        async with door(settings(caller_anonymous=True)) as front:
            assert await front.subject() == "anonymous|everything"
            assert (await front.refused("made-up")).startswith("401")

    assert "ANYBODY MAY CALL EVERYTHING: CALLER_ANONYMOUS is on" in caplog.text


REFUSED_SETTINGS: dict[str, tuple[dict[str, Any], str]] = {
    "nothing": ({}, "callers have no way to prove who they are; set one of CALLER_KEYS"),
    "keys without an issuer": (
        {"caller_jwks_url": "https://i.example/k"},
        "set CALLER_ISSUER",
    ),
    "tokens without a public address": (
        {"caller_jwks_url": "https://i.example/k", "caller_issuer": NAME, "host": "0.0.0.0"},
        "set PUBLIC_URL",
    ),
    "introspection without a client": (
        {"caller_introspection_url": "https://i.example/i"},
        "set CALLER_INTROSPECTION_CLIENT_ID and",
    ),
    "a key that is not hashed": ({"caller_keys": [{"key": "plain", "subject": "a"}]}, "entry 1"),
    "a key of nobody": ({"caller_keys": [entry(KEY, "")]}, "`subject` must be a text"),
    "scopes in a text": ({"caller_keys": [entry(KEY, scopes="read")]}, "lists of texts"),
    "a member that is none": ({"caller_keys": [entry(KEY, scope=["r"])]}, "must be an object of"),
    "a key twice": ({"caller_keys": [entry(KEY), entry(KEY)]}, "are the same"),
    "no array": ({"caller_keys": {}}, "must be an array"),
    "a file that is not there": ({"caller_keys_file": "/nowhere"}, "cannot be read"),
    "a scope that does not exist": (
        {"caller_keys": [entry(KEY, scopes=["reed"])]},
        "the scope `reed`, which does not exist; did you mean `read`",
    ),
    "a role that does not exist": (
        {"caller_keys": [entry(KEY, roles=["admn"])]},
        "the role `admn`, which does not exist; did you mean `admin`",
    ),
}


@pytest.mark.parametrize("name", REFUSED_SETTINGS)
def test_a_server_with_wrong_settings_does_not_start(name: str) -> None:
    values, reason = REFUSED_SETTINGS[name]
    access = AuthConfig(known_scopes=("read", "write:kb"), known_roles=("admin",))

    with pytest.raises(ValueError, match=re.escape(reason)):
        Authentication(settings(**values), access)


def test_a_scope_that_contains_a_known_one_is_known() -> None:
    keys = [entry(KEY, scopes=["write"])]

    assert Authentication(settings(caller_keys=keys), AuthConfig(known_scopes=("write:kb",)))


@pytest.mark.parametrize("url", ["http://issuer.example/jwks", "https://u:p@i.example", "ftp://x"])
def test_keys_are_fetched_from_nowhere_that_can_be_listened_to(url: str) -> None:
    with pytest.raises(ValueError, match="must be an https URL"):
        settings(caller_jwks_url=url)


def test_a_new_key_comes_with_the_entry_that_knows_it(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["ci", "read", "write:kb"])

    key, text = (line.split(":  ", 1)[1] for line in capsys.readouterr().out.splitlines())
    assert code == 0
    assert json.loads(text) == entry(key, "ci", scopes=["read", "write:kb"])
    assert len(key) >= 43


async def test_a_credential_shows_in_no_answer_and_no_log(
    issuer: JwtIssuer, caplog: pytest.LogCaptureFixture
) -> None:
    canary = "canary-credential-5f1c"
    issuer.status = 500

    with caplog.at_level(logging.DEBUG):
        async with door(introspection_settings(issuer)) as front:
            answer = await front.knock(canary)

    assert canary not in answer.text + str(answer.headers)
    assert canary not in caplog.text
