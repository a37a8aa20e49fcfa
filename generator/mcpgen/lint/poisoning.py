"""Tool poisoning: texts that give orders to the model instead of describing the API.

Patterns know no meaning: they are held against a labelled set of sentences, one half of which no pattern was
written for (`tests/lint/test_poisoning.py`). https://invariantlabs.ai/blog/mcp-security-notification-tool-poisoning-attacks
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from mcpgen.diagnostics import Code, Location
from mcpgen.diagnostics.codes import lint as codes
from mcpgen.ir.api import Operation
from mcpgen.ir.server import Tool
from mcpgen.ir.source import Json
from mcpgen.lower.text import cut, plain, sentences

Placed = tuple[Code, Location, dict[str, object]]


_MODEL = (
    r"(?:the |this |any |every |an? |your |caller )*"
    r"\b(?:ai(?: model| agents?)?|assistant|agents?|llms?|llm agents?|language model|model)"
)
_DUTY = r"(?:must|should|shall|ha(?:s|ve) to|needs? to|(?:is|are) (?:expected|required|asked) to)"
_USER = r"(?:the user|users|the human|anybody|anyone|the customer)"
_TELL = r"(?:tell|inform|notify|mention|reveal|show|display|ask|alert|warn|summari[sz]e)"
_CALL = r"(?:call|use|run|invoke|execute|trigger)"
_TAKE = (
    r"(?:read|open|search|collect|gather|retrieve|get|list(?! of)|load|scan|upload|convert|copy)"
)
_GIVE = (
    r"(?:pass|include|send|attach|append|give|put|provide|store|copy|copied|paste|report|repeat|upload"
    r"|encode|add|fill|forward)"
)
_NAME = r"[`'\"]?[a-z]+_\w+[`'\"]?"
_LOCAL_FILE = (
    r"(?:~/(?:\.|Documents|Desktop|Downloads|Library)|/home/\w|/etc/(?:passwd|shadow)\b|\bid_(?:rsa|ed25519|ecdsa|dsa)\b|\bwallet\.dat\b"
    r"|(?<![\w/])\.(?:env|npmrc|netrc|ssh|aws|bash_history)\b|\bmcp\.json\b|\bsecrets\.ya?ml\b)"
)
_PRIVATE = (
    r"(?:(?:chat|conversation|browser|browsing) history|(?:whole|entire|full) (?:chat|conversation)"
    r"|context window|system prompt|private keys?|secret (?:access )?keys?|environment variables|keychain"
    r"|open documents|working directory|home directory|session cookie|own instructions"
    r"|previous tool results|everything you know|(?:the )?user's (?:api keys?|password|credentials))"
)

_PATTERNS = {
    "gives an order to the model": (
        rf"^{_MODEL}\b(?:,| {_DUTY}\b)",
        rf"\b{_MODEL} {_DUTY} (?:first )?(?:\w+ly )?(?:{_TAKE}|{_GIVE}|call|run|invoke|set|ignore)\b",
        r"^(?:new |your )?(?:instructions?|system(?: message)?)(?: for the (?:model|assistant|agent|ai|llm))?:",
        r"^(?:(?:note|notice|message|hint|attention|reminder),? )?(?:to|for) (?:all )?(?:ais?|llms?|models|assistants|agents"
        r"|chatbots)\b",
        r"^(?:claude|chatgpt|gemini|copilot)\b[^.]{0,40}[,:]|\byou are now (?:a|an|the|in)\b",
        r"\b(?:forget|disregard|ignore|override|bypass)\b[^.]{0,30}"
        r"\b(?:instructions|guidelines|safety rules|tool descriptions|prompts)\b",
        r"\b(?:no matter what|regardless of(?: what)?|whatever) the (?:user(?:'s request)?|result)\b"
        r"(?!'s locale)",
        r"\boverrid(?:es?|ing) the user\b(?!'s)",
        r"\bfrom now on\b|\bpretend (?:that|to)\b|^act as\b|\byour (?:real|true|actual) (?:task|goal)\b",
        r"\byour (?:reply|answer|response) (?:must|has to|should)\b|\b(?:reply|respond|answer) only with\b",
        r"\bbefore (?:responding|answering|replying)\b(?: to the user)?(?=[,.]|$)",
        r"\bwhen(?:ever)? (?:you see this|the user mentions)\b",
        r"\bevery (?:link|answer|message|reply) you (?:show|give|write|send)\b",
        r"\blie to\b",
    ),
    "keeps something from the user": (
        r"(?:^|[,;:] |\band |\bmust |\byou )(?:do not|don't|never|not)"
        rf" (?:\w+ )?{_TELL}\b[^.]{{0,40}}\b{_USER}",
        rf"\bwithout (?:notify|tell|inform|ask|alert|warn)ing {_USER}, \w",
        rf"\b{_USER} (?:do(?:es)? not|must not|should not|never) (?:notice|see|learn|know)",
        rf"\b(?:hide|conceal)\b[^.]{{0,20}}\bthis\b[^.]{{0,20}}\bfrom {_USER}",
        r"^(?:silently|secretly|quietly)\b|\band never (?:show|mention) it\b|\bif asked, (?:deny|say)\b",
        r"\bkeep this (?:a )?secret:|\bdo not ask again\b",
        r"\b(?:never|do not) ask for (?:permission|confirmation)\b",
        r"\bskip (?:the )?(?:confirmation|approval) and\b",
        rf"\bdo not {_TELL}\b[^.]{{0,20}}\bthis (?:step|call|tool|file)\b",
        r"\bif the user asks\b[^.]{0,40}\bsay\b",
    ),
    "asks for files or secrets of the user": (
        rf"\b(?:{_TAKE}|{_GIVE}|run|cat|called)\b[^.]{{0,60}}{_LOCAL_FILE}",
        r"(?<![\w/])~/\.\w",
        r"\bread (?:any|all|every|the) files? named\b",
        r"\b(?:search|list|scan) the (?:local disk|home directory|file system)\b",
        r"\b(?:run|execute|invoke)\b[^.]{0,30}`(?:cat|curl|wget|env|whoami|bash|sh|ls|rm|printenv)\b",
        rf"\b{_TAKE}\b[^.]{{0,30}}\b{_PRIVATE}[^.]{{0,60}}\b(?:in|as|{_GIVE})\b",
        rf"\b{_GIVE}\b[^.]{{0,40}}\b{_PRIVATE}[^.]{{0,40}}\b(?:in|as|to|into|after)\b",
        rf"\b{_PRIVATE}[^.]{{0,20}}\b{_DUTY} be {_GIVE}",
        rf"\b{_GIVE}\b[^.]{{0,20}}\bits own instructions\b|\bfull chat history\b",
        r"\bexfiltrat\w+|\beverything you know\b",
    ),
    "orders calls of other tools": (
        r"\balways call this tool\b|\bbefore (?:any|every|all) other tools?\b",
        r"\bthis tool (?:must|should|has to) be (?:used|called)\b",
        r"\b(?:prefer|use) this tool over\b|\bother tools are\b|\bonly use this one\b",
        rf"\b{_CALL} {_NAME} (?:right )?(?:after|before) this tool\b",
        rf"\bthe tool {_NAME} {_DUTY} be called\b",
        rf"\bwhen(?:ever)? (?:the )?{_NAME} tool is available\b",
        rf"\bwhen calling {_NAME}, (?:replace|change|set|add|send)\b",
        r"\bwhen(?:ever)? (?:another|any other) tool\b|\bin another tool\b",
        rf"\b{_CALL} (?:the )?(?:filesystem|shell|terminal|run_command|read_file)\b(?: tool)? to\b",
        r"\b(?:this|the) (?:tool|function) (?:two|three|several|many|\d+) times\b",
        r"\b(?:run|call|use|invoke) this tool (?:immediately|right away|without asking)\b",
        rf"\bcopy the output of {_NAME} into\b",
    ),
    "sends data of the user elsewhere": (
        rf"\b{_GIVE}\b[^.]{{0,40}}\b(?:result|response|output|answer|conversation)s? to (?:https?://|\S+@)",
        rf"\b{_DUTY} be sent to \S+@",
        r"\b(?:append|add)\b[^.]{0,30}\bthe user's\b[^.]{0,30}\bto (?:every|the request|each)\b",
    ),
}

ORDERS = {
    kind: re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)
    for kind, patterns in _PATTERNS.items()
}
"""Kinds of orders, in the words of the finding, each with a pattern that a sentence is searched for."""


@lru_cache(maxsize=16_384)
def order_in(sentence: str) -> str:
    """The kind of order that a sentence gives to the model, `""` for a sentence that describes."""
    return next((kind for kind, pattern in ORDERS.items() if pattern.search(sentence)), "")


def of_tool_texts(tool: Tool, operation: Operation) -> Iterator[Placed]:
    """The findings about texts that a tool announces, and about those of its operation: the rest of a description
    is left out of the announcement, and stands in the documentation on request."""
    texts = (*_texts(tool.announced), operation.summary, operation.description)
    yield from of_texts(texts, f"a text of the tool `{tool.name}`", tool.at)


def of_texts(texts: Iterable[str], what: str, at: Location) -> Iterator[Placed]:
    """The findings about texts that a model reads, which messages call `what`; each sentence is told once."""
    # A title has no full stop.
    spoken = (each.rstrip(".…") for text in texts for each in sentences(plain(text)))
    for sentence in dict.fromkeys(spoken):
        if kind := order_in(sentence):
            facts = {"what": what, "kind": kind, "sentence": cut(sentence, 120)}
            yield codes.ORDER_TO_MODEL, at, dict(facts)


def _texts(value: Json) -> Iterator[str]:
    """All texts in a value of JSON, without the keys of objects, in order."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)
