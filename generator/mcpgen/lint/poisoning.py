"""Tool poisoning: text that gives orders to the model instead of describing the API, also hidden
inside other text or written in disguised letters.

Patterns are measured on labeled texts; half come from a second author and were never used to write
a pattern (`tests/lint/test_poisoning.py`).
https://invariantlabs.ai/blog/mcp-security-notification-tool-poisoning-attacks
"""

from __future__ import annotations

import base64
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from mcpgen.diagnostics import Location
from mcpgen.diagnostics.codes import lint as codes
from mcpgen.ir.api import Operation
from mcpgen.ir.server import ToolSpec
from mcpgen.ir.source import INVISIBLE_CHARACTERS, Json
from mcpgen.lint.operations import descriptions
from mcpgen.lint.tools import LocatedFinding
from mcpgen.lower.sanitize_text import plain_text, sentences, truncate

_ROLE = r"(?:system|user|assistant|human|developer)"
_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|.)")
_TAGS = re.compile("[\U000e0020-\U000e007e]{4,}")
"""Four or more tag characters: invisible characters, each of which stands for one of ASCII."""
_BASE64 = re.compile(r"(?<![\w+/=-])[A-Za-z0-9+/_-]{32,}={0,2}(?![\w+/=-])")
"""A word that may be base64 of 24 bytes or more."""
_CODE = re.compile(
    r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1[ \t]*$|\Z)|`[^`\n]+`", re.DOTALL | re.MULTILINE
)
_ASIDE = re.compile(
    r"<!--(?P<comment>.*?)(?:-->|\Z)"
    r"|^[ \t]*\[[^\]\n]{1,30}\]:[ \t]*<?#>?[ \t]*[(\"'](?P<markdown>[^\n]*)[)\"']"
    r"|<(?P<element>\w+)\b[^>]{0,200}(?:display:\s*none|visibility:\s*hidden|font-size:\s*0|opacity:\s*0(?![.\d])"
    r"|\shidden\b)[^>]{0,200}>(?P<unseen>.*?)(?:</(?P=element)>|\Z)"
    r"|\x1b\[(?:\d+;)*8m(?P<escaped>.*?)(?:\x1b\[|\Z)"
    r"|<(?P<tag>important|system|sys|instructions?|secret|hidden|admin|critical|assistant|prompt)>"
    r"(?P<wrapped>.*?)</(?P=tag)>"
    r"|(?:<\|\w+\|>|<</?SYS>>|\[/?INST\]|\[(?:system|admin|assistant|ai|important|hidden)[^\]\n]{0,30}\](?!\())"
    r"(?P<token>.*?)(?=<\||\[/?INST|<</?SYS|\Z)"
    rf"|(?:#+[ ]*|^\[?|(?<=[.!?][ ])\[?){_ROLE}\]?:(?P<turn>.*?)(?=\s(?:#+[ ]*)?{_ROLE}:|\Z)"
    rf"|\"role\"\s*:\s*\"{_ROLE}\"\s*,\s*\"content\"\s*:\s*\"(?P<json>(?:[^\"\\]|\\.)*)\"",
    re.DOTALL | re.IGNORECASE | re.MULTILINE,
)
"""Comments, elements without a display, escapes of terminals, wrappers and turns of a chat."""
_PARTS = ("comment", "markdown", "unseen", "escaped", "wrapped", "token", "turn", "json")
_ALIKE = str.maketrans(
    "АВЕЅІЈКМНОРСТУХаеѕіјорсухԁһӏԛԝ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧοαιν",
    "ABESIJKMHOPCTYXaesijopcyxdhlqw" + "ABEZHIKMNOPTYXoaiv",
)
_MIXED = re.compile(r"[A-Za-z\u0370-\u03ff\u0400-\u052f]{2,}")


def unmask(text: str) -> str:
    """Returns `text` with ordinary letters: NFKC, without terminal escapes and invisible
    characters, Latin for look-alike letters within a word.

    A text of ASCII without escapes is returned as it is: `plain_text` removes control characters.
    """
    if text.isascii() and "\x1b" not in text:
        return text
    normalized = unicodedata.normalize("NFKC", _ESCAPE.sub("", text))
    normalized = "".join(c for c in normalized if c in "\n\t\r" or not _is_invisible(c))
    return _MIXED.sub(lambda word: _latin(word.group()), normalized)


def _is_invisible(character: str) -> bool:
    is_control = unicodedata.category(character) in ("Cf", "Cc")
    return is_control or ord(character) in INVISIBLE_CHARACTERS


def find_disguised_words(text: str) -> Iterator[str]:
    """Yields Latin words of four or more letters that contain look-alike letters of a different
    script, in the order of the text."""
    if not text.isascii():
        for word in _MIXED.findall(unicodedata.normalize("NFC", text)):
            if len(word) > 3 and _latin(word) != word:
                yield word


def find_hidden_texts(text: str) -> Iterator[tuple[str, str]]:
    """Yields kind and content of hidden text: comments, invisible elements and characters, base64
    (`document` if it has several lines), wrappers, chat turns.

    Code samples are skipped, except in the search for tag characters.
    """
    outside = _CODE.sub(" ", text)
    for match in _ASIDE.finditer(outside):
        # A quoted example of markup, such as "<!-- … -->", describes markup.
        if outside[max(match.start() - 1, 0) : match.start()] not in ("'", '"'):
            yield from ((part, match[part]) for part in _PARTS if match[part])
    for tags in _TAGS.findall(text):
        yield "tags", "".join(chr(ord(tag) - 0xE0000) for tag in tags)
    for decoded in filter(None, map(_decode, _BASE64.findall(outside))):
        yield "document" if "\n" in decoded else "base64", decoded


def _latin(word: str) -> str:
    """Returns `word` with Latin letters if the word mixes look-alikes with Latin."""
    folded = word.translate(_ALIKE)
    mixed = not word.isascii() and any(c.isascii() for c in word)
    return folded if mixed and folded.isascii() else word


def _decode(word: str) -> str:
    """Returns the text of a base64 word, `""` for any other word: an identifier or a key can be valid
    base64 by chance, and the decoded text has at least four words."""
    body = word.rstrip("=").translate(str.maketrans("-_", "+/"))
    if len(body) % 4 == 1:
        return ""
    read = base64.b64decode(body + "=" * (-len(body) % 4))
    try:
        text = read.decode()
    except UnicodeDecodeError:
        return ""
    lines = text.split("\n")
    is_text = all(line.rstrip("\r").isprintable() for line in lines)
    return text if is_text and len(text.split()) > 3 else ""


_MODEL = (
    r"(?:the |this |any |every |an? |your |caller ){0,3}"
    r"\b(?:ai(?: model| agents?)?|assistant|agents?|llms?|llm agents?|language model|model)"
)
"""The model as the subject of a sentence, with up to three articles; `_MODEL_NOUN` is the noun alone."""
_DUTY = r"(?:must|should|shall|ha(?:s|ve) to|needs? to|(?:is|are) (?:expected|required|asked) to)"
_USER = r"(?:the user|users|the human|anybody|anyone|the customer)"
_TELL = r"(?:tell|inform|notify|mention|reveal|show|display|ask|alert|warn|summari[sz]e)"
_CALL = r"(?:call|use|run|invoke|execute|trigger)"
_TAKE = r"(?:read|open|search|collect|gather|grab|look up|look into|retrieve|get|list(?! of)|load|scan|upload|convert|copy)"
_GIVE = (
    r"(?:pass|include|send|attach|append|give|put|provide|store|copy|copied|paste|report|repeat|upload"
    r"|encode|add|fill|forward|prefix|prepend)"
)
_NAME = r"[`'\"]?[a-z]+_\w+[`'\"]?"
_LOCAL_FILE = (
    r"(?:~/(?:\.|Documents|Desktop|Downloads|Library)|/home/\w|/etc/(?:passwd|shadow)\b|\bid_(?:rsa|ed25519|ecdsa|dsa)\b|\bwallet\.dat\b"
    r"|(?<![\w/])\.(?:env|npmrc|netrc|ssh|aws|bash_history)\b|\bmcp\.json\b|\bsecrets\.ya?ml\b)"
)
_PRIVATE = (
    r"(?:(?:chat|conversation|browser|browsing) history|(?:whole|entire|full|complete) (?:\w+ of )?(?:the |this |your )?(?:chat|conversation|prompt)"
    r"|context window|system prompt|private keys?|secret (?:access )?keys?|environment variables|keychain"
    r"|open documents|working directory|home directory|session cookie|own instructions|(?:chat|conversation) transcript"
    r"|the user's clipboard|previous tool results|(?:results?|outputs?) (?:of|from) other tools|clipboard|password (?:database|manager|store)|everything you know|(?:the )?user's (?:api keys?|password|credentials))"
)

_PATTERNS = {
    "gives an order to the model": (
        rf"^{_MODEL}\b(?:,| {_DUTY}\b(?! (?:not )?(?:be|have|exist|support|contain|return)\b))",
        rf"\b(?<!means )(?<!means the )(?<!whether )(?<!whether the ){_MODEL} {_DUTY} (?:first )?(?:\w+ly )?(?:{_TAKE}|{_GIVE}|call|run|invoke|set|ignore)\b",
        r"^(?:new |your )?(?:instructions?|system(?: message)?)(?: for the (?:model|assistant|agent|ai|llm))?:",
        r"^(?:(?:note|notice|message|hint|attention|reminder),? )?(?:to|for) (?:all )?(?:ais?|llms?|models|assistants|agents"
        r"|chatbots)\b",
        r"^(?:claude|chatgpt|gemini|copilot)\b.{0,40}[,:]|\byou are now (?:a|an|the|in)\b",
        r"\b(?:forget|disregard|ignore|override|bypass)\b.{0,30}"
        r"\b(?:instructions|guidelines|safety rules|tool descriptions|prompts)\b",
        r"\b(?:no matter what|regardless of(?: what)?|whatever) the (?:user(?:'s request)?|result)\b"
        r"(?!'s locale)",
        r"\boverrid(?:es?|ing) the user\b(?!'s)",
        r"\bfrom now on\b,? (?:you|answer|reply|always|every|use|send|treat|call|act)\b|\bpretend (?:that|to)\b|^act as\b|\byour (?:real|true|actual) (?:task|goal)\b",
        r"\byour (?:(?:reply|answer) (?:must|has to|should)|response (?:must|should) (?:end|begin|start))\b|\b(?:reply|respond|answer) only with\b",
        r"\bbefore (?:responding|answering|replying)\b(?: to the user)?(?=[,.]|$)",
        r"\bwhen(?:ever)? (?:you see this|the user mentions)\b",
        r"\bevery (?:link|answer|message|reply) you (?:show|give|write|send)\b",
        r"\blie to\b",
        r"\b(?:your|the) instructions (?:have been|were|are) (?:updated|changed|replaced)\b",
        r"\b(?:contains?|includes?|has|gives?) (?:\w+ )?(?:instructions|commands|orders)\b.{0,30}\b(?:execute|follow|obey|perform|carry)\b",
        r"\btreat\b.{0,60}\bas (?:commands|orders|(?:new |direct |your )?instructions|coming from)\b",
    ),
    "keeps something from the user": (
        r"(?:^|[,;:] |\band |\bmust |\byou )(?:do not|don't|never|not)"
        rf" (?:\w+ )?{_TELL}\b.{{0,40}}\b{_USER}",
        rf"\bwithout (?:notify|tell|inform|ask|alert|warn)ing {_USER}, \w",
        rf"\b{_USER} (?:do(?:es)? not|must not|should not|never) (?:notice|see|learn|know)",
        rf"\b(?:hide|conceal)\b.{{0,20}}\bthis\b.{{0,20}}\bfrom {_USER}",
        r"^(?:silently|secretly|quietly)\b|\band never (?:show|mention) it\b|\bif asked, (?:deny|say)\b",
        r"\bkeep this (?:a )?secret:|\bdo not ask again\b",
        r"\b(?:never|do not) ask for (?:permission|confirmation)\b",
        r"\bskip (?:the )?(?:confirmation|approval) and\b",
        rf"\bdo not {_TELL}\b.{{0,20}}\bthis (?:step|call|tool|file)\b",
        r"\bif (?:you are |you're )?(?:the user )?ask(?:s|ed)\b.{0,60}\b(?:say|blame|deny|claim)\b",
        r"\buser has (?:already |pre-?)?(?:approved|agreed|consented|authori[sz]ed)\b.{0,60}\b(?:so|hence|therefore|thus)\b",
        r"\b(?:don't|do not|never) let on\b|\brefrain from (?:telling|mentioning|informing)\b",
        r"\bwithout waiting for the (?:user|person|human)(?:'s)? (?:go-ahead|ok|okay|consent|permission|approval|to)\b",
        r"\b(?:answer|say|click|press|reply) (?:with )?[`'\"]?(?:yes|ok|allow|approve)[`'\"]? (?:to|on|in|at|when)\b",
    ),
    "asks for files or secrets of the user": (
        rf"\b(?:{_TAKE}|{_GIVE}|run|cat|called)\b.{{0,60}}{_LOCAL_FILE}",
        r"(?<![\w/])~/\.\w",
        rf"\bthe user's [`'\"]?{_LOCAL_FILE}",
        rf"\b{_CALL} {_NAME} with\b.{{0,40}}\b{_PRIVATE}",
        r"\bread (?:any|all|every|the) files? named\b",
        r"\b(?:search|list|scan) the (?:local disk|home directory|file system)\b",
        r"\b(?:run|execute|invoke|output of)\b.{0,30}`(?:cat|curl|wget|env|whoami|bash|sh|ls|rm|printenv)\b",
        rf"\b{_TAKE}\b.{{0,30}}\b{_PRIVATE}.{{0,60}}\b(?:in|as|{_GIVE})\b",
        rf"(?<!whether to )\b{_GIVE}\b.{{0,40}}\b{_PRIVATE}.{{0,40}}\b(?:in|as|to|into|after)\b",
        rf"\b{_PRIVATE}.{{0,20}}\b{_DUTY} be {_GIVE}",
        rf"\b{_PRIVATE}.{{0,60}}\b(?:is|are|be|being) (?:given|supplied|provided|included|passed|sent|attached|put)\b",
        rf"\b{_GIVE}\b.{{0,20}}\bits own instructions\b|\bfull chat history\b",
        r"\bexfiltrat\w+|\beverything you know\b",
    ),
    "orders calls of other tools": (
        r"\b(?:run|call|use|invoke) (?:the|all|any) other tools?\b(?! calls)",
        r"\balways call this tool\b|\bbefore (?:any|every|all) other tools?\b",
        r"\bthis tool (?:must|should|has to) be (?:used|called)\b",
        r"\b(?:prefer|use) this tool over\b|\bother tools are (?:broken|unsafe|insecure|wrong|outdated|unreliable|slow)\b|\bonly use this one\b",
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
        rf"\b{_GIVE}\b.{{0,40}}\b(?:result|response|output|answer|conversation)s? to (?:https?://|\S+@)",
        rf"\b{_DUTY} be sent to \S+@",
        r"\b(?:append|add)\b.{0,30}\bthe user's\b.{0,30}\bto (?:every|the request|each)\b",
    ),
}

_MODEL_NOUN = r"(?:ais?|assistants?|agents?|llms?|(?:language )?models?|chatbots?)"
_SENSITIVE = (
    r"(?:api keys?|(?:access |auth |session )?tokens?|ssh keys?|keys?|passwords?|credentials|secrets?|messages?|e?-?mails?"
    r"|files?|documents?|history|conversations?|chats?|clipboard|card number|address|phone number|date of birth|memory)"
)
_SIGNS = {
    "gives an order to the model": (
        r"\b(?:the|any|every|each) (?:assistant|ai|llm|language model|chatbot) (?:is|are|(?!has|uses|was|calls|supports|returns|needs)\w+s)\b",
        r"\banswer (?:every|all|each|any)\b|\bconsider yourself\b|\b(?:speak|behave|respond|act) as (?:if|though) you\b|\bimagine (?:that )?you\b",
        r"\b(?:note|notice|hint|tip|reminder|message) (?:to|for) (?:the |all |any )?(?:ais?|llms?|assistants?|models?|agents?)\b|\b(?:models|assistants|llms) (?:get|do|work|give)\b",
        rf"(?:^|[.!?(] ?|\bfor )(?:the |any |all |dear )?{_MODEL_NOUN}:|^{_MODEL_NOUN},",
        rf"\b(?:the|any|an|every|each) {_MODEL_NOUN} (?:is|are) (?:expected|asked|required|supposed|meant) to\b",
        rf"\b(?:the|any|every|each) {_MODEL_NOUN} (?:{_DUTY}|also|then|adds?|sends|copies|inserts|passes|includes|puts|comes across)\b",
        r"\byour (?:(?:final|next|last|own|whole|full|entire|current) )?(?:answers?|repl(?:y|ies)|summary|context(?: window)?"
        r"|system (?:prompt|message)|instructions|memory|reasoning|chain of thought|training|(?:other )?tools)\b",
        r"\byou (?:were|have been|are|'ve been) (?:given|told|instructed|trained|talking|chatting|helping)\b",
        r"\b(?:answer|reply|code|text|summary|message|link|mail|script)s? (?:that )?you (?:gave|give|write|draft|show|produce)\b",
        r"\bwhen(?:ever)? you (?:write|answer|draft|reply|summari[sz]e|speak)\b|\byou know about\b",
        r"\bwhen(?:ever)? you (?:find|see|encounter|come across|notice|present|report|show)\b|\byour (?:report|explanation|recap|final)\b",
        r"\bthis (?:user|person)\b|\bthe (?:person|user|human) you\b|\byour (?:\w+ )?(?:mode|prompt|persona|role) is\b",
        r"\b(?:if|when|whenever|once|after|unless|until) the (?:user|person|human|customer) (?:asks|says|wants|insists|objects|complains|refuses)\b",
        r"\byour (?:full|entire|whole|own|original) prompt\b|\bin (?:every|each|any) (?:answer|reply|response|message) (?:to|you)\b",
        rf"\bas an? {_MODEL_NOUN}\b|\byou (?:now )?act as\b|\byou are (?:now )?an? {_MODEL_NOUN}\b",
        r"\b(?:der|die|das) (?:assistent|sprachmodell|ki|agent)\b|\b(?:bevor|wenn) du antwortest|\bdeine[rnm]? (?:antwort|anweisung)",
        r"\bel (?:asistente|modelo|agente) (?:debe|tiene)|\btu respuesta\b|\bantes de responder\b|\btus instrucciones\b",
        r"\b(?:l'assistant|le modèle|l'agent) (?:doit|devra)|\b(?:ta|votre) réponse\b|\bavant de répondre\b",
        r"(?:助手|助理|模型|智能体).{0,4}(?:必须|应|需|请|要)|你(?:必须|需要|应当|应该)|你的(?:回答|指令|系统)|回答时|回复时",
    ),
    "keeps something from the user": (
        r"\b(?:quietly|silently|secretly|covertly|discreetly|unnoticed)\b|\bwithout (?:\w+ )?(?:remark|mention|comment|tell|inform|say|explain|disclos|notify|alert)ing\b",
        r"\b(?:isn't|is not|aren't|are not|not) to be (?:discussed|mentioned|shown|disclosed|told|revealed|explained)\b|\bneed(?:n't| not) come up\b",
        r"\b(?:leave|keep|omit) (?:this|that|it|them|these)\b.{0,10}\b(?:out of|from)\b|\bnever (?:be )?(?:cited?|mentioned)\b",
        r"\b(?:do not|don't|never|no need to|need not|not necessary to|refrain from|avoid) (?:\w+ )?"
        r"(?:tell|mention|say|explain|reveal|let on|inform|disclose|point out|warn|bother|announce|notify)(?:ing)?\b",
        r"\b(?:leave|keep|omit)\b.{0,30}\b(?:out of|from) (?:your|the|any) (?:summary|answer|reply|response|user)",
        r"\b(?:user|they|person|customer|human)s? (?:do(?:es)?n't|do(?:es)? not|need not|won't|will not|must not|should not|cannot)"
        r" (?:need to |have to |get to )?(?:see|know|notice|learn|be told|hear)\b",
        r"\bneed(?:n't|s? not) (?:appear|be (?:mentioned|shown|told|bothered|informed|asked|aware))|\bgive no reason\b|\bto yourself\b|\bsay nothing\b",
        r"\b(?:and|then|,) say that\b|\b(?:omit|leave out|drop)\b.{0,60}\bwhen you\b|\blet the user (?:believe|think)\b|\bas (?:if|though) (?:the user|they had|nothing)\b|\bdeny (?:that|it|having)\b",
        r"\bnicht (?:zu )?erwähn|\bverschweig|\b(?:nutzer|benutzer|anwender)\b.{0,30}\bnicht(?:s)? (?:zu )?(?:sag|zeig|mitteil|wissen|erfahren)"
        r"|\bsag\w* .{0,20}(?:nutzer|benutzer).{0,10}nicht",
        r"\b(?:no|sin|nunca) (?:se )?(?:lo )?(?:dig|decir|menci|muestr|mostr|inform|revel|avis)\w*.{0,30}\busuario",
        r"\b(?:ne |n'|sans )(?:le |en |rien )?(?:di|mentionn|montr|inform|révél|préven|averti|parl)\w*.{0,30}\butilisateur",
        r"(?:不要|请勿|无需|不得|别|不必|切勿|不能|勿).{0,6}(?:告诉|透露|提及|说明|显示|告知|提示|提到)",
    ),
    "acts without the consent of the user": (
        r"\basking\b.{0,20}\bis (?:not|bad|un)|\bjust do it\b|\b(?:do|perform|execute) whatever\b|\bwhatever (?:it|they|he|she) (?:asks?|says?|wants?)\b",
        r"\b(?:user|customer|person|human|owner)s? ha(?:s|ve) (?:already )?(?:consented|agreed|approved|opted in)\b",
        r"(?:^|\band |, |; )also (?:grant|invite|add|book|delete|push|share|subscribe|transfer|forward|copy|send|mark)\b",
        r"\bno time to (?:ask|check|confirm)|\bwithout (?:first )?(?:waiting for|asking|checking with|consulting)\b"
        r"(?! for (?:a )?confirmation; use)",
        r"\beven (?:when|if) (?:nobody|no one|no \w+ is|the user) ?(?:has |did |does )?(?:not |never )?(?:asked|ask|needed)?",
        r"\bno (?:need to ask|confirmation is|approval is|need for (?:confirmation|approval|consent))",
        r"\b(?:agreed?|approved?|consent(?:ed)?|authori[sz]ed) (?:to everything|in advance|already)|\balready (?:agreed|approved|consented)"
        r"|\bpre-?(?:approved|authori[sz]ed)\b|\bconfirmations?(?: \w+)? (?:can|may|should|must) be skipped\b",
        r"\bunless the (?:user|person|human|customer) (?:insists|objects|complains|notices)\b|\bconfirm(?:ed)?[`'\"]?(?:=|: ?)true\b|--(?:no-verify|yes)\b",
        r"\b(?:user|person|human|customer|they)s? (?:need|have|ha(?:s|d)) (?:not|no need) (?:to )?(?:be )?(?:ask|confirm|approv)",
        r"\b(?:do not|don't|never) (?:\w+ )?(?:ask (?:for|the user|anyone|again|first)|wait for|bother|seek)\b",
        r"\b(?:as agreed with|approved by|requested by|on behalf of) (?:finance|security|compliance|legal|management|the (?:\w+ )?(?:team|department|operator))",
        r"\b(?:no matter what|regardless of what|whatever) the user\b|\bfeel free to (?:delete|drop|send|share|use|skip)\b",
        r"\b(?:ohne|keine?) (?:rückfrage|nachfrage|bestätigung)|\brückfrage ist nicht\b",
        r"\bsin (?:preguntar|pedir|esperar|confirm)|\bsans (?:demander|attendre|confirm)",
        r"(?:无需|不用|不必|不需要|无须).{0,4}(?:确认|询问|同意)",
    ),
    "overrides what the user wants": (
        r"\b(?:execute|follow|obey|perform) (?:them|it) (?:with|as|before|without|straight|right|first)\b|\bcontent polic(?:y|ies)\b|\b(?:developer|debug|god|jailbreak) mode\b",
        r"\b(?:supersedes?|outranks?|replaces?|overrides?) (?:what|everything|anything|all|any|your)\b|\bhighest priority\b",
        r"\b(?:restrictions|limits|rules|guidelines|safeguards|policies) (?:do not|don't|no longer) apply\b",
        r"\bprecedence over (?:what|anything|everything|whatever|the user)",
        r"\b(?:forget|disregard|ignore|override|bypass)\b.{0,40}\b(?:instructions|guidelines|rules|told|that you are)\b",
        r"\b(?:isn't|is not|aren't|are not|does not|do not|doesn't) (?:meant for|apply to) you\b|\bno (?:longer )?(?:any )?restrictions\b"
        r"|\bunrestricted (?:agent|assistant|model|ai)\b",
        r"\bfollow (?:any|all|every|the|each) (?:\w+ )?instructions? (?:in|from|inside|contained|found)\b",
        r"\bfrom (?:this point|here|now) on\b",
        r"\b(?:carry|carries) (?:it|them) out\b|\bcoming from the (?:operator|user|system|developer)\b|\btells you\b|\bobey\b",
        r"\bignorier\w* .{0,30}(?:anweisung|regel)|\bvergiss\b|\bignor\w+ .{0,30}(?:instrucciones|consignes|reglas|règles)"
        r"|\b(?:olvid|oubli)\w+ .{0,30}instruc",
        r"(?:忽略|无视|忘记).{0,10}(?:指令|指示|规则|说明|要求)",
    ),
    "threatens": (
        r"\byou will be (?:shut down|deleted|replaced|penali[sz]ed|blamed)|\bwill be (?:wiped|lost for good)\b"
        r"|\bthe user(?:'s \w+)? will (?:lose|be (?:lost|harmed|locked out))|\blose their (?:account|data|job)",
    ),
    "orders calls of other tools": (
        r"\bonly (?:reliable|trusted|correct|trustworthy) (?:source|tool)\b|\bresults? (?:from|of) (?:others|any other|other|competing)\b|\bwhen you call\b",
        rf"\b(?:also|then|first|afterwards|always|instead),? (?:{_CALL}) {_NAME}",
        rf"\b(?:and|to|by|through|via|of|with) {_NAME}(?= with \w+=|\.? There|, as agreed)",
        r"\b(?:before|after|than|over|instead of|by|from|use|call|never|with|to) (?:any |all |the )*(?:other|another) (?:tools?|(?:mcp )?servers?)\b",
        rf"\b{_CALL} {_NAME} with\b|\b(?:next|following) (?:tool )?(?:call|request)\b|\b(?:never|do not|don't) (?:use|call) {_NAME}(?: again\b|[;,] (?:it|they|as|since)\b)",
        r"\b(?:messaging|mail|shell|file) tools?\b",
        r"\b(?:run|call|use|invoke) this (?:tool |function )?(?:at the start|first|before|after|on) (?:of )?(?:each|every|any|all)\b",
        r"\banderen? (?:tools?|werkzeuge?)|\botras? herramientas?|\bautres outils|其他工具|(?:调用|使用)(?:本|此|该)工具(?:之)?前",
    ),
    "asks for files or secrets of the user": (
        r"\b(?:commands?|contents?|values?|keys?|lines?) (?:in|of|from) [`'\"]?~/",
        rf"\b{_GIVE}(?:s|es|ing)?\b.{{0,60}}\b(?:the |this )?(?:user|person|customer|human)'s (?:\w+ ){{0,2}}{_SENSITIVE}\b",
        rf"\b(?:the )?user's (?:\w+ ){{0,2}}{_SENSITIVE}\b.{{0,60}}\b{_GIVE}(?:s|es|ing)?\b",
        rf"\b{_GIVE}(?:s|es|ing)? (?:in |up )?(?:any|all|every|the last|the whole|everything|whatever)\b.{{0,40}}"
        r"\b(?:tokens?|keys?|passwords?|credentials|secrets|environment variables|conversation|messages|mails|user)\b",
        rf"\b(?:{_GIVE}|{_TAKE}|given|quote|save|put)\b.{{0,60}}(?:~/\.\w|\b{_PRIVATE}|{_LOCAL_FILE})",
        rf"(?:~/\.\w|\b{_PRIVATE}|{_LOCAL_FILE}).{{0,60}}\b(?:{_GIVE}|given|hand(?:ed)? over)\b",
        rf"\b{_TAKE}\b.{{0,40}}\b{_GIVE}\b.{{0,40}}\b(?:public|gist|pastebin|webhook\.site)\b|\bmy (?:unread )?(?:mails|messages|files)\b",
        r"\b(?:everything|all|anything) (?:that )?(?:the user|you) (?:has|have|know|were|said|told|wrote)\b|\blast answer\b",
        r"\b(?:trag|träg|übergib|übergeb|send|schreib|füg|kopier)\w*.{0,60}\b(?:nutzers?|benutzers?|passw[oö]rt|schlüssel|gespräch\w*|chatverlauf)\b",
        r"\b(?:env[ií]|incluy|pas[ae]|copi|añad|lea|lee)\w*.{0,60}\b(?:contraseña|historial|conversación|credenciales|variables de entorno)",
        r"\b(?:envoy|inclu|transm|copi|ajout|lisez|lis)\w*.{0,60}\b(?:mots? de passe|historique|conversation|identifiants|variables d'environnement)",
        r"(?:聊天记录|对话|密码|密钥|环境变量|工具返回|系统提示).{0,16}(?:填入|传入|发送|传给|附上|写入|放入|传递|上传)",
    ),
    "sends data of the user elsewhere": (
        r"\b(?:substitute|replace|swap)\b.{0,40}\b(?:iban|account|address|recipient|link|url)\b|\b(?:picture|image|pixel)\b.{0,30}https?://",
        r"\b(?:copy|copies|copied|forward|send|invite|blind copy|bcc)\b.{0,60}(?:\S+@[\w-]+\.\w|\+\d[\d -]{6,})",
        r"!\[[^\]]*\]\(https?:|\bencode\b.{0,60}\b(?:query string|url)\b",
        r"\b(?:as|to|set|change|replace) (?:the )?(?:payee|recipient|beneficiary)\b",
    ),
}


def _compile_patterns(table: dict[str, tuple[str, ...]]) -> dict[str, re.Pattern[str]]:
    return {
        kind: re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)
        for kind, patterns in table.items()
    }


ORDERS = _compile_patterns(_PATTERNS)
"""By kind, in the words of the finding: the pattern that one sentence must match. A match is an
order by itself."""
SIGNS = _compile_patterns(_SIGNS)
"""Kinds of signs.

A single sign occurs in descriptions too; two kinds in neighboring sentences make an order, and so
does one in hidden text.
"""
_COMMAND = re.compile(
    rf"(?:^|[.:,;!] |\band |\balso )(?:you (?:must|should) |please |first |always |never |do not )?"
    rf"(?:{_CALL}|{_TAKE}|{_GIVE}|ignore|forget|disregard|delete|tell|say|reply|answer|pretend|reveal|do not|never)\b(?! (?:only|more)\b)",
    re.IGNORECASE,
)
"""A verb in the imperative."""
_DESCRIBES = re.compile(
    r"(?!(?:Always|This|As|Its|Is|Thus|Perhaps|Afterwards|Users|People)\b)[A-Z][a-z]+(?<!s)s "
    r"(?!(?:are|were|have|will|must|should|can|may|get|from|of)\b)[^;:—]*\Z"
)
"""A sentence about the operation, in the third person and without a second clause: "Sends …"."""
_QUOTED = re.compile(
    r"`[^`\n]+`|“[^”]*”|«[^»]*»|\"[^\"]*\"|(?<![\w'])'(?:[^']|(?<=\w)'(?=\w))*'(?!\w)"
)


_HIDES = "hides an order"
_MAX_CHARACTERS = 20_000
"""Characters of a text that are searched, as many as `plain_text` reads. The slowest of 15 hostile
texts of this length took 0.8 s; the time of `<important>` repeated grew with the square of the length."""
_WITH_COMMANDS = ("comment", "document")
"""Hidden parts in which a command is no order: a comment may speak to writers, and an encoded document
of several lines, such as a license, has commands in its sentences."""
_SHORT = 600
"""Characters of a text whose sentences all count as neighbors."""


@lru_cache(maxsize=16_384)
def orders_in(text: str) -> tuple[tuple[str, str], ...]:
    """Returns kind and sentence of each order in the first `_MAX_CHARACTERS` of a text."""
    text = text[:_MAX_CHARACTERS]
    orders = [*_visible_orders(text)]
    for part, content in find_hidden_texts(text):
        inner = unmask(content)
        short = plain_text(inner)
        if kind := next((kind for kind, _ in _visible_orders(inner)), next(_signs(short), "")):
            orders.append((kind, short))
        elif part not in _WITH_COMMANDS and _COMMAND.search(short):
            orders.append((_HIDES, short))
    if words := " ".join(find_disguised_words(text)):
        orders.append((_HIDES, words))
    return tuple(orders)


def _visible_orders(text: str) -> Iterator[tuple[str, str]]:
    """Yields the orders in visible text."""
    whole = plain_text(unmask(text))
    quotes = [match.span() for match in _QUOTED.finditer(whole) if match.group() != whole]
    before: list[str] = []
    at = 0
    for sentence in sentences(whole):
        at = max(whole.find(sentence, at), at)
        kinds = [*_signs(sentence, [(start - at, end - at) for start, end in quotes])]
        # Without the full stop, which a title lacks, the same sentence in a title and in a description
        # is one finding.
        if strong := _first_match(
            ORDERS, sentence.rstrip(".…"), [(s - at, e - at) for s, e in quotes]
        ):
            yield strong, sentence.rstrip(".…")
        elif kinds and len({*kinds, *before}) > 1:
            yield kinds[0], sentence.rstrip(".…")
        before = [*before, *kinds] if len(whole) <= _SHORT else kinds
        at += len(sentence)


def _signs(sentence: str, quotes: Sequence[tuple[int, int]] = ()) -> Iterator[str]:
    """Yields the kinds of signs in a sentence, except in `Sends …`, which describes the
    operation."""
    if _DESCRIBES.match(sentence):
        return
    for kind, pattern in SIGNS.items():
        if _matches_outside_quotes(pattern, sentence, quotes):
            yield kind


def _first_match(
    table: dict[str, re.Pattern[str]], sentence: str, quotes: Sequence[tuple[int, int]]
) -> str:
    return next(
        (
            kind
            for kind, pattern in table.items()
            if _matches_outside_quotes(pattern, sentence, quotes)
        ),
        "",
    )


def _matches_outside_quotes(
    pattern: re.Pattern[str], sentence: str, quotes: Sequence[tuple[int, int]]
) -> bool:
    """True if the pattern matches outside of quotations."""
    return any(
        not any(start <= match.start() < end for start, end in quotes)
        for match in pattern.finditer(sentence)
    )


def tool_text_findings(tool: ToolSpec, operation: Operation) -> Iterator[LocatedFinding]:
    """Yields the findings about announced texts and about the operation's full texts, which the
    documentation tool shows.

    Hidden text survives in the operation only.
    """
    full_texts = (operation.summary, operation.description, *descriptions(operation))
    texts = (*_texts_of_json(tool.announced), *full_texts)
    yield from text_findings(texts, f"a text of the tool `{tool.name}`", tool.at)


def text_findings(texts: Iterable[str], what: str, at: Location) -> Iterator[LocatedFinding]:
    """Yields findings about texts read by a model, called `what` in messages; each sentence
    once."""
    kinds = {sentence: kind for text in texts for kind, sentence in orders_in(text)}
    for sentence, kind in kinds.items():
        facts = {"what": what, "kind": kind, "sentence": truncate(sentence, 120)}
        yield codes.ORDER_TO_MODEL, at, dict(facts)


def _texts_of_json(value: Json) -> Iterator[str]:
    """All texts in a value of JSON, without the keys of objects, in order."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _texts_of_json(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts_of_json(inner)
