"""Examples for who may talk to a server, and for what a request may do to it."""

from mcpgen.conformance.examples.example import Example, Examples

EXAMPLES: Examples = {
    "origin-foreign-refused": Example(
        "→ Origin: http://evil.example\n← 200",
        "→ Origin: http://evil.example\n← 403",
    ),
    "host-foreign-refused": Example(
        "→ POST to 127.0.0.1, Host: evil.example\n← 200",
        "→ POST to 127.0.0.1, Host: evil.example\n← 421",
    ),
    "no-stack-trace": Example(
        '"text": "Traceback (most recent call last):\\n  File \\"/srv/app/pets.py\\", line 7 …"',
        '"text": "The pet service did not answer; try again later."',
    ),
    "session-id-unguessable": Example(
        "session_id = str(next(counter))",
        "session_id = secrets.token_urlsafe(32)",
    ),
    "errors-show-no-inside": Example(
        '← 500 {"error": {"message": "KeyError in /srv/app/pets.py:7"}}',
        '← 500 {"error": {"code": -32603, "message": "Internal error"}}',
    ),
    "credentials-not-echoed": Example(
        '→ Authorization: Bearer s3cret\n← 401 {"message": "bad token s3cret"}',
        '→ Authorization: Bearer s3cret\n← 401 {"message": "the token is not valid"}',
    ),
    "auth-missing-401": Example(
        "→ initialize without Authorization\n← 200",
        "→ initialize without Authorization\n← 401, WWW-Authenticate: Bearer …",
    ),
    "auth-wrong-401": Example(
        "if token.startswith(KEY[:8]): …",
        "if hmac.compare_digest(token, KEY): …",
    ),
    "auth-forged-401": Example(
        'jwt.decode(token, options={"verify_signature": False})',
        'jwt.decode(token, key, algorithms=["RS256"], audience=ME, issuer=ISSUER)',
    ),
    "auth-expired-401": Example(
        '→ Bearer <"exp": an hour ago>\n← 200',
        '→ Bearer <"exp": an hour ago>\n← 401, WWW-Authenticate: Bearer error="invalid_token"',
    ),
    "auth-audience-401": Example(
        '→ Bearer <"aud": "https://other.example/mcp">\n← 200',
        '→ Bearer <"aud": "https://other.example/mcp">\n← 401',
    ),
    "auth-query-token-refused": Example(
        "→ POST /mcp?access_token=…\n← 200",
        "→ POST /mcp?access_token=…\n← 401",
    ),
    "auth-challenge-present": Example(
        "← 401",
        "← 401, WWW-Authenticate: Bearer\n"
        '    resource_metadata="https://mcp.example/.well-known/oauth-protected-resource/mcp"',
    ),
    "auth-metadata-found": Example(
        "→ GET /.well-known/oauth-protected-resource/mcp\n← 404",
        "→ GET /.well-known/oauth-protected-resource/mcp\n← 200 application/json",
    ),
    "auth-metadata-shape": Example(
        '{"resource": "http://localhost:8000"}',
        '{"resource": "https://mcp.example/mcp",\n'
        ' "authorization_servers": ["https://login.example"]}',
    ),
    "auth-challenge-scope": Example(
        'WWW-Authenticate: Bearer scope="pets:read offline_access"',
        'WWW-Authenticate: Bearer scope="pets:read"',
    ),
    "auth-error-code": Example(
        '→ without Authorization\n← WWW-Authenticate: Bearer error="invalid_token"',
        "→ without Authorization\n← WWW-Authenticate: Bearer\n"
        '→ Bearer wrong\n← WWW-Authenticate: Bearer error="invalid_token"',
    ),
    "session-is-no-credential": Example(
        "→ Mcp-Session-Id: 0c9f…, no Authorization\n← 200",
        "→ Mcp-Session-Id: 0c9f…, no Authorization\n← 401",
    ),
    "oversize-body-refused": Example(
        "→ POST, Content-Length: 16777216\n← 200",
        "→ POST, Content-Length: 16777216\n← 413",
    ),
    "deep-json-survived": Example(
        "→ [[[[[[… 100,000 times\n← (the process is gone)",
        '→ [[[[[[… 100,000 times\n← 400 {"error": {"code": -32700, …}}',
    ),
    "path-like-arguments-safe": Example(
        'open(f"notes/{name}")                     # name = "../../etc/passwd"',
        "httpx.get(f\"{API}/notes/{quote(name, safe='')}\")",
    ),
    "header-like-arguments-safe": Example(
        'headers["X-Tenant"] = tenant              # tenant = "a\\r\\nX-Admin: 1"',
        'if not tenant.isprintable():\n    return refusal("`tenant` has a line break")',
    ),
    "resource-files-safe": Example(
        "Path(ROOT, uri.path).read_text()          # uri = file:///../../etc/passwd",
        "if uri not in OFFERED:\n    raise UnknownResource(uri)",
    ),
    "rate-limit-says-when": Example("← 429", "← 429, Retry-After: 5"),
    "duplicate-ids-survived": Example(
        "waiting[id] = future      # the second one replaces the first, which waits for ever",
        'if id in waiting:\n    return error(-32600, "this id is in use")',
    ),
}
"""By the id of the check."""
