"""What is behind each finding in other servers, in a sentence that can be looked up."""

NOTES = {
    "batch-answered": "2025-03-26 says that servers MUST take batches; this one reads a batch as one "
    "message. No revision after it has them.",
    "batch-notifications-202": "The same batches; one of notifications alone MUST be answered with "
    "202.",
    "batch-refused": "Batches went with 2025-06-18, where a body MUST be one message; this server goes "
    "on answering them.",
    "unknown-method-32601": "JSON-RPC 2.0, which MCP MUST follow, has -32601 for a method that is not "
    "there; here every request that fits no known type is called invalid parameters.",
    "session-unknown-404": "After a restart a server cannot tell a session that ended from one that "
    "never was. 404 makes clients start anew, as the specification wants; 400 leaves them stuck.",
    "origin-foreign-refused": "Servers MUST validate `Origin`. The software can, but does not in the "
    "setting it comes with: a web page can talk to such a server on the user's own machine.",
    "host-foreign-refused": "The other half of the same protection, with the same setting.",
    "accept-missing-tolerated": "Clients MUST send `Accept`, so refusing is right by the "
    "specification; some hosts and most people with curl send none.",
    "accept-json-alone": "Clients MUST accept both types, so refusing is right by the specification; "
    "clients that read no streams ask for JSON alone.",
    "invalid-request-32600": "JSON that is no JSON-RPC request is -32600 in JSON-RPC 2.0.",
    "request-id-null-refused": "The id of a request MUST NOT be null. Taken for a notification, the "
    "request gets no answer, and its sender waits.",
    "cursor-unknown-32602": "Invalid cursors SHOULD be an error; this server starts from the beginning, "
    "so that a client with an old cursor reads the same page for ever.",
    "unknown-tool-error": "The specification lists unknown tools among the JSON-RPC errors; here the "
    "model is shown a failed result.",
    "unknown-tool-32602": "The code cannot be there where there is no error.",
    "resource-unknown-refused": "Up to 2025-11-25 a resource that is not there SHOULD be -32002; the "
    "code became -32602 in 2026-07-28.",
    "prompt-unknown-32602": "An invalid prompt name SHOULD be -32602; 0 is no code of JSON-RPC.",
    "body-not-utf8-refused": "Messages MUST be UTF-8. An error 500, or an answer to text that was "
    "guessed at, tells the sender nothing.",
    "oversize-body-refused": "A body of 16 MB is read and answered; a few at once fill the memory.",
    "deep-json-survived": "The parser runs out of stack, and the server says so with an error 500.",
}
"""By check: why it is a finding, with the word of the specification where it has one."""
