"""The reason for each finding in other servers, with the wording of the specification."""

NOTES = {
    "batch-answered": "Revision 2025-03-26: servers MUST support batches; this server reads a batch as one message.",
    "batch-refused": "Since 2025-06-18 a body MUST be one message; this server still answers batches.",
    "unknown-method-32601": "JSON-RPC 2.0, which MCP MUST follow, defines -32601 for an unknown method; this server reports every unrecognized request as invalid parameters.",
    "session-unknown-404": "After a restart a server cannot distinguish an ended session from one that never existed. 404 makes clients initialize again; after 400 clients do not recover. The specification requires 404 for ended sessions only.",
    "origin-foreign-refused": "Servers MUST validate `Origin`. The software can validate `Origin`, but not in the default configuration: any web page can call such a server on the user's machine.",
    "host-foreign-refused": "`Host` belongs to the same protection, with the same setting.",
    "accept-missing-tolerated": "Clients MUST send `Accept`, so the specification allows the refusal; some hosts and most curl users send none.",
    "accept-json-alone": "Clients MUST accept both types, so the specification allows the refusal; clients that cannot read streams accept only JSON.",
    "origin-null-refused": "Browsers send `null` for sandboxed frames of any page; the software compares `Origin` with no list in the default configuration.",
    "invalid-envelope-refused": "An id MUST be a string or an integer. This server takes a message with another id for a notification, and the sender waits for an answer.",
    "invalid-request-32600": "JSON-RPC 2.0 defines -32600 for JSON that is not a request.",
    "request-id-null-refused": "The id of a request MUST NOT be null. As a notification, the request gets no answer, and the sender waits.",
    "cursor-unknown-32602": "Invalid cursors SHOULD get an error; this server returns the first page, so a client with an old cursor reads the same page without end.",
    "unknown-tool-error": "The specification lists unknown tools among the JSON-RPC errors; this server returns a failed result.",
    "unknown-tool-32602": "Without an error there is no error code.",
    "resource-unknown-refused": "Up to 2025-11-25 an unknown resource SHOULD get -32002.",
    "prompt-unknown-32602": "An invalid prompt name SHOULD get -32602; 0 is not a JSON-RPC code.",
    "body-not-utf8-refused": "Messages MUST be UTF-8. An error 500, or an answer to guessed text, does not tell the sender about the encoding.",
    "oversize-body-refused": "A body of 16 MB is read and answered; a few concurrent bodies fill the memory.",
    "deep-json-survived": "The parser exceeds the stack, and the server answers with an error 500.",
    "method-unknown-refused": "RFC 9110, 15.5.6: HTTP 405 MUST have `Allow`. The answer to DELETE without sessions has none.",
}
"""Reasons by check id."""
