"""The HTTP requests that a client sends by the words of a text, and the actions and results that no
client of a server sees, with the reason."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from mcpgen.ir.source import Json
from mcpgen.openspec.lower.step_definitions import StepContext
from mcpgen.openspec.lower.step_definitions.call_arguments import read_object
from mcpgen.openspec.model.requirements import Role, Scenario

Claim = Mapping[str, Json]
"""An action or an assertion in the companion's syntax."""

TODO = "TODO"
"""A text for the author to replace."""

REQUEST = re.compile(
    r"(?<![-\w])(GET|POST|PUT|PATCH|DELETE|HEAD)"
    r"(?:(?:e?[sd])?(?: (?:`\{[^`]{1,300}\}`|an? [\w ]{1,40}))? (?:to|at|on)"
    r"|e?[sd]|`?(?: (?:request|call)s?)?(?: (?:is|are) (?:made|sent|received|issued|submitted))? (?:to|at|for|on))?[` ]+"
    r"((?:\.\.\.|…)?/[^\s`\"'),;，。]*(?:,+[^\s`\"'),;，。]+)*)"
)
"""A request: the method, also as a verb (`POSTs to`, `is PUT to`), and the path; `.../x` is the end of a path."""

_WITHOUT_CREDENTIALS = re.compile(
    r"\bwithout (?:an?y? |the |valid |a valid )?(?:`?Auth(?:orization)?`?(?: header)?\b|(?:bearer |access )?token|credentials"
    r"|(?:valid )?session|authentication)\b|\bunauthenticated\b|\bnot authenticated\b",
    re.IGNORECASE,
)
"""Words of a request without credentials."""

_NEAR = 120
"""Characters before a request that may name its sender."""

_SENDER = re.compile(
    r"\b(?:users?|clients?|callers?|admins?|administrators?|agents?|owners?|members?|consumers?|operators?"
    r"|visitors?|customers?|editors?|viewers?|browsers?|someone|they|requests?)(?: \([^()]{1,40}\))?"
    r" (?:sends?|calls?|makes?|issues?|invokes?|submits?|performs?|hits?|requests?|is (?:made|sent|received)|arrives"
    r"|are (?:made|sent))(?: (?:an?|the|HTTP|authenticated|valid|request|for|to|at|on|with)){0,4} ?`?$"
    r"|\b(?:users?|clients?|callers?|account|owner|admin) ?`?$"
    r"|\b(?:calls|sends|polls|fetches|hits|submits|submitted to|posts to|(?:is|are) (?:sent|made|posted)|via|through)"
    r"(?: (?:an?|the|any|HTTP|authenticated|valid|request|for|to|at|on|with)){0,4} ?`?$"
    r"|(?:клиент|пользователь) (?:отправляет|вызывает|запрашивает|выполняет) ?`?$"
    r"|(?:客户端|用户|管理员|调用方|前端用户) ?(?:发送|请求|调用|访问) ?`?$",
    re.IGNORECASE,
)
_OPENING = re.compile(
    r"(?:(?:an?|the|any) )?(?:(?:authenticated|unauthenticated|valid|second|first|new|HTTP|authorized) ){0,2}"
    r"(?:(?:request|call)s? (?:to )?)?`?",
    re.IGNORECASE,
)
_OTHER_SUBJECT = re.compile(
    r"\b(?:servers?(?![- ](?:admin|owner|operator|scoped))|services?|system|adapter|handler|worker|plugin|proxy|gateway|relay|module|daemon|scheduler|job|app"
    r"|application|process|firmware|tool|driver|connector|tests?|backend|operator's|callback|it)\b|HA\b",
    re.IGNORECASE,
)
"""Words of a sender that is no client."""

_PASSIVE = re.compile(r"\b(?:is|are) ?`?$")
_SENT = re.compile(r"\b(?:is|are) (?:made|sent|received|issued|submitted) ")
_PAST = re.compile(r"[A-Z]+e?d\b|PUT\b")
"""A method as a participle: an object "is POSTed to" a path."""

_SEVERAL = re.compile(
    r"\b(?:concurrent(?:ly)?|simultaneous(?:ly)?|at the same time|in parallel|twice|repeatedly|races?|two|three|each call)\b",
    re.IGNORECASE,
)
"""Words of several requests, which a single action does not send."""

_RESULT_OF_ANOTHER = re.compile(
    r"`?(?: (?:request|call|endpoint|response|route|handler)s?)?,? (?:fails?|failed|returns?|returned|responds?|resolves?"
    r"|rejects?|errors?|times? out|timed out|completes?|succeeds?|is (?:implemented|registered|mocked|pending|in[- ]flight"
    r"|defined|removed|deprecated)|has (?:failed|completed|returned)|does|handler|implementation)\b",
    re.IGNORECASE,
)
"""Words about the answer to another program, or about code, behind a request."""

OTHER_SENDER = re.compile(
    r"\b(?:front-?end|SPA|UI|component|hook|mutation|web ?app|mobile app|mock(?:s|ed)?|upstream|SDK|library(?! (?:has|contains))"
    r"|wrapper|intercept(?:s|ed)?|page(?! ?[=0-9]))\b",
    re.IGNORECASE,
)
"""Words about a request of another program than a client of the server."""

_PLACEHOLDER = re.compile(r"\{[^{}/]*\}|<[^<>/]*>|(?<=/):\w+|(?<==):\w+|\.\.\.|…")
_BODY = re.compile(r"`(\{[^`]{0,500}\})`|\b(?:body|payload|with|of)[: ]{1,2}(\{[^`{}]{1,500}\})")


_LIST_JOINT = re.compile(
    r"`?(?: \([^()]{1,60}\))?\s?[,，、/]?\s?(?:(?:or|或|или)\s?)?(?:an? |the )?`?", re.IGNORECASE
)
"""The text between requests of which the client sends any."""

_ANY = re.compile(r"\b(?:or|any of|either|each of|или)\b|或", re.IGNORECASE)


def client_requests(scenario: Scenario) -> list[re.Match[str]]:
    """Returns the requests in the WHEN steps of a scenario if a client sends them, else none.

    Several requests stand in one list, and the client sends any of the list.
    """
    whens = [step.text for step in scenario.steps if step.role is Role.WHEN]
    requests = [match for text in whens for match in REQUEST.finditer(text)]
    if not requests or any(OTHER_SENDER.search(REQUEST.sub("", text)) for text in whens):
        return []
    text = requests[0].string
    joints = [text[first.end() : second.start()] for first, second in pairwise(requests)]
    if joints and not (
        all(request.string is text for request in requests)
        and all(_LIST_JOINT.fullmatch(joint) for joint in joints)
        and _ANY.search(REQUEST.sub("", text))
    ):
        return []
    request = requests[0]
    before = text[max(0, request.start() - _NEAR) : request.start()]
    is_sent = (request.start() < _NEAR and _OPENING.fullmatch(before)) or (
        (
            _SENDER.search(before)
            or _SENT.search(request[0])
            or (_PASSIVE.search(before) and _PAST.match(request[0]))
        )
        and not _OTHER_SUBJECT.search(before)
    )
    behind = text[requests[-1].end() : requests[-1].end() + _NEAR]
    is_pattern = any("*" in request[2] for request in requests)
    if not is_sent or is_pattern or any(_SEVERAL.search(text) for text in whens):
        return []
    return [] if _RESULT_OF_ANOTHER.match(behind) else requests


def client_request(scenario: Scenario) -> re.Match[str] | None:
    """Returns the only request in the WHEN steps of a scenario if a client sends it, else None."""
    requests = client_requests(scenario)
    return requests[0] if len(requests) == 1 else None


def request_path(request: re.Match[str]) -> str:
    """Returns the path of a request without its query, and without `/`, `.` and `:` at the end."""
    return request[2].partition("?")[0].rstrip("/.:")


def is_abbreviated(request: re.Match[str]) -> bool:
    """Returns whether a request has only the end of its path: `GET .../notes`."""
    return not request[2].startswith("/")


def http_entry(request: re.Match[str], words: str) -> Claim:
    """Returns the HTTP action of a request; `TODO` stands for a value that the text leaves open."""
    path = _PLACEHOLDER.sub(TODO, request[2]).partition("#")[0].rstrip(".:")
    entry: dict[str, Json] = {"method": request[1], "path": path}
    if (
        request[1] in ("POST", "PUT", "PATCH")
        and (body := posted_object(words.replace(request[0], ""))) is not None
    ):
        entry["body"] = dict(body)
    return {"http": {**entry, **credentials_entry(words)}}


def posted_object(words: str) -> Mapping[str, Json] | None:
    """Returns the only JSON object in back-ticks or behind a word such as `with`, else None."""
    bodies = _BODY.findall(words)
    return read_object("".join(bodies[0])) if len(bodies) == 1 else None


def credentials_entry(words: str) -> dict[str, Json]:
    """Returns the `headers` of an action without credentials, `{}` unless the text leaves them out."""
    return {"headers": {"Authorization": ""}} if _WITHOUT_CREDENTIALS.search(words) else {}


COMMAND_RUN = re.compile(r"`[a-z][\w./-]* [^`{}()]*` (?:is run|runs|is executed)\b")
"""A command line that is run, also with the name of a tool as its first word."""

_OUTSIDE: Sequence[tuple[str, re.Pattern[str]]] = tuple(
    (reason, re.compile(pattern))
    for reason, pattern in (
        (
            "a user interface, which no client of the server sees",
            r"\b(?:clicks?|taps?|hovers?|types? into|scrolls?|drags?|navigates?|presses?|toggles?|(?:SPA|UI|front-?end) (?:mounts|loads|starts|receives|renders|calls)"
            r"|Angular (?:component|router)|React component|snack ?bar|`\w+Component`"
            r"|users? (?:selects|expands|collapses|fills|switches|hovers|drags|confirms|dismisses|resizes|clears|closes)|`\w+` event fires"
            r"|(?:page|screen|dialog|modal|component|panel|form|view|tab|banner|sidebar|toolbar|card|drawer)s?"
            r" (?:is (?:displayed|open|opened|rendered|shown|fetching)|loads?|opens?|renders?|mounts?|shows?|displays?)"
            r"|(?:views?|opens?|selects?|visits?) (?:the|an?) (?:[\w-]+ ){0,3}(?:page|screen|dialog|modal|view|tab"
            r"|panel|menu|drawer|form|button|option|toolbar|dropdown|checkbox))\b"
            r"|(?:пользователь|администратор) (?:нажимает|открывает|вводит|выбирает|кликает|переходит|переключает)"
            r"|点击|页面|弹窗|按钮|导航栏|勾选",
        ),
        (
            "the text of code or of documents, which people read",
            r"\b(?:reader|developer|reviewer|maintainer|contributor)s?\b.{0,40}\b(?:reads?|inspects?|opens?|looks?|reviews?"
            r"|searches|edits?|modifies|adds?|changes|updates|registers|deploys|wants|creates|writes)\b|\b(?:code|source|repository|module|class|file|schema|migration"
            r"|Dockerfile|README|documentation|docs)s?\b.{0,30}\b(?:is|are) (?:inspected|reviewed|read|examined|searched"
            r"|imported|parsed|scanned)\b|(?<!client )(?<!agent )(?<!caller )\binspect(?:s|ing|ed)\b|\b(?:compiled|type-?checked)\b",
        ),
        (
            "a command line, outside of the server",
            r"\b(?:user|developer|operator|admin|CI|someone)s? (?:runs?|executes?|types?)\b|`[a-z][\w./-]* [^`]*` "
            r"(?:is run|runs|is executed|is invoked)|\b(?:CLI|command line|terminal|shell)\b|\bnpm |\bdocker\b",
        ),
        (
            "a run of tests or of a build, outside of the server",
            r"\b(?:tests?|spec|suite|pipeline|CI|build|workflow|linter|bundle)\b.{0,20}\b(?:runs?|is run|are run"
            r"|executes?|is executed|completes?|builds?|mounts?)\b|\bPlaywright\b|\bunit tests?\b|\btests? (?:verify|verifies|asserts?|covers?|checks?)\b"
            r"|\b(?:spec|document|bundle|client|image|artifact)s? (?:is|are) (?:generated|built|compiled)\b"
            r"|\bgenerated (?:[\w-]+ ){0,3}(?:is|are) (?:built|examined|compiled|imported)\b|\bmake [\w-]+ (?:is run|runs)\b|\blinter\b",
        ),
        (
            "a statement to the database, which no client sends",
            r"\b(?:INSERT INTO|SELECT \S+ FROM|UPDATE \S+ SET|DELETE FROM|SQL-level)\b",
        ),
        (
            "the start or the end of the process, which no client sees",
            r"\b(?:server|application|app|process|service|daemon|backend|worker|adapter|system)\b"
            r".{0,12}\b(?:starts?|boots?|restarts?|shuts? down|stops?|is (?:started|launched|initialized|constructed"
            r"|instantiated|deployed)|initializes|launches|exits|crashes)\b",
        ),
        (
            "a job of the server's own, which no client starts",
            r"`[A-Z]\w*(?:Event|Message)\b[^`]*`.{0,40}\b(?:consumed|arrives|received|published|processed)\b|\bKafka\b|\bconsumer group\b"
            r"|\bthe time reaches\b|\b(?:sweep|interval elapses|heartbeat)\b"
            r"|\b(?:scheduler?|background|cron|job|watcher|migration|consumer|hook|timer|poller|updater|loop)s?\b"
            r".{0,30}\b(?:runs?|fires?|executes?|starts?|ticks?|triggers|completes?|processes|is applied|arrives)\b"
            r"|\bscheduled time arrives\b|\bmigrations? (?:runs?|is applied|are applied)\b|\b(?:runs|applies) (?:all |the )?migrations\b",
        ),
        (
            "a function or a class of the code, which no client calls",
            r"\b(?:any|each|every|an?|the) (?:unit|integration|E2E|end-to-end) tests?\b|\bthe `?[A-Z]\w+`? (?:class|module"
            r"|interface|struct|trait|component|hook)\b|\b(?:repository|service|use[- ]case|helper|factory|adapter)"
            r" (?:method|function) is (?:called|invoked)\b|"
            r"`[A-Z]\w*(?:[.:]+\w+)*(?:\([^`]*\))?` (?:is|are) (?:called|constructed|instantiated|invoked|raised|thrown)"
            r"|`(?:\w+[.:]+\w+|[a-z]+[A-Z]\w*)\([^`]*\)` (?:(?:is|are) (?:called|invoked|used)|calls?|reports?|returns?|receives?|runs?|throws?)\b"
            r"|\bcode (?:references|imports|calls) `|\b(?:throws|raises) (?:an? )?`[A-Z]\w+`|`\w+(?:::\w+)+\([^`]*\)` is used"
            r"|\b[Cc]all(?:s|ing) `(?:\w+[.:]+\w+|[a-z]+[A-Z]\w*)\(",
        ),
    )
)
"""Actions that no client of an MCP server performs, with the reason."""

_CONFIGURED = re.compile(
    r"\b(?:in|by|the|no) (?:server )?(?:config|configuration)\b(?! (?:tool|endpoint|is requested))|"
    r"`[A-Z][A-Z0-9]*(?:_+[A-Z0-9]+)+(?:`? ?=|`? (?:is|are)(?: not)? (?:set|unset|configured|defined|empty|present)\b)"
    r"|\benvironment variables? (?:is|are)\b|\b(?:config|settings|configuration) file (?:is|has|contains|sets|exists|does)\b"
)
"""Words of a WHEN about the configuration of the process; a client may see the consequence."""


_SEEN = re.compile(
    r"\b(?:returns?|returned|responds?|responses?|status|[1-5][0-9][0-9]|errors?|reject(?:s|ed)|refused|denied|GET|POST"
    r"|PUT|PATCH|DELETE|tools?|results?|answers?|replies|reply|messages?|body|payload|clients?|callers?|API|endpoint"
    r"|requests?|JSON|outputs?)\b|返回|возвра|响应|ответ",
    re.IGNORECASE,
)
"""Words of a result that a client may see."""

_PAINTED = re.compile(
    r"\b(?:returns?|responds?|GET|POST|PUT|PATCH|DELETE|[1-5][0-9][0-9]|tools?|JSON|API)\b|返回|возвра"
)
"""Words of an answer, beside the words of a user interface."""

_RESULTS: Sequence[tuple[str, re.Pattern[str], re.Pattern[str]]] = tuple(
    (reason, re.compile(pattern), seen)
    for reason, pattern, seen in (
        (
            "a user interface, which no client of the server sees",
            r"\b(?:snack ?bar|`\w+Component`|localStorage|navbar)\b|(?:показыва|отобража|открыва)(?:ет|ют)ся|展示|弹窗|页面显示|"
            r"\b(?:buttons?|dialogs?|modals?|toasts?|spinners?|tooltips?|dropdowns?|sidebar|drawer|overlay|banner|badges?|tabs?"
            r"|panels?|screen|pages?|forms?|menus?|icons?|cards?|checkbox(?:es)?|navbar|viewer|indicators?|placeholder)\b.{0,80}"
            r"\b(?:displays?|displayed|shows?|shown|visible|hidden|highlighted|disabled|enabled|appears?|disappears?|closes?"
            r"|opens?|collapses?|expands?|renders?|rendered|updates?)\b"
            r"|\b(?:displayed|shown|visible|rendered|appears?) (?:\w+ ){0,2}(?:in|on|inside|at|below|above|next to) (?:the|an?)"
            r" (?:[\w-]+ ){0,3}(?:page|screen|form|dialog|modal|panel|list view|table|grid|sidebar|header|footer|drawer|toolbar"
            r"|timeline|card|row|viewer|UI)\b|\bthe UI\b|\b(?:user|browser) (?:is redirected|navigates|SHALL be redirected)\b",
            _PAINTED,
        ),
        (
            "the database, which no client sees",
            r"\b(?:rows?|columns?|tables?)\b.{0,60}\b(?:inserted|updated|deleted|written|removed|stored|persisted|added|dropped"
            r"|created|altered|locked|unchanged|gets?|has|contains?)\b|\b(?:insert(?:s|ed)?|updates?|deletes?|writes?|stores?)"
            r" (?:an?|the|one|no|exactly one|every|each) (?:[\w`-]+ ){0,3}rows?\b|\b(?:no|exactly one|one) (?:[\w`-]+ ){0,2}rows?"
            r" (?:is|are|exists?)\b|\b(?:in|to|from|by) the (?:PostgreSQL |SQLite )?database\b|\b(?:the|one|a single|same)"
            r" (?:database |DB )?transaction\b|\bthe database (?:raises|rejects|contains|has|enforces)\b|\bSQL\b"
            r"|\b(?:foreign|primary) key\b|\b(?:check|unique)[- ]constraint\b"
            r"|`\w+` rows?\b(?:'s)?.{0,80}\b(?:exists?|is|are|has|have|remains?)\b|\brows? exists?\b",
            _SEEN,
        ),
        (
            "the log, metrics or traces of the server, which no client sees",
            r"\b(?:is|are|be) (?:logged|traced)\b|\blogs (?:an?|the|at|that|one|only|no)\b|\b(?:SHALL|MUST|shall|must|NOT|not) log\b"
            r"|(?<!audit )\blog (?:entry|entries|line|lines|record|event|level)\b|\b(?:WARN|WARNING|INFO|DEBUG|ERROR)[- ](?:level )?log\b"
            r"|\b(?:spans?|metrics?|counters?|histograms?) (?:is|are|SHALL be|MUST be) (?:\w+ )?(?:emitted|exported|recorded|incremented"
            r"|created|set)\b|\b(?:emits?|records?|exports?|increments?) (?:an?|the) (?:[\w`-]+ ){0,3}(?:spans?|metrics?|counters?"
            r"|histogram)\b",
            _SEEN,
        ),
        (
            "the code, which no client sees",
            r"`[A-Z]\w*(?:Error|Exception)`.{0,40}\b(?:raised|thrown)\b|\b(?:raises?|throws?|raised|thrown) (?:an? |the )?`?[A-Z]\w*(?:Error"
            r"|Exception)\b|\b(?:delegates?|delegated) to `|`[A-Z]\w*(?:\.\w+)+(?:\([^`]*\))?`? (?:is|are|SHALL be|MUST be)\b"
            r"|\b(?:an? )?instance of `|\ban? `[A-Z]\w+` instance\b|\b(?:implements|extends|injects|depends on|is annotated with"
            r"|imports) (?:only )?(?:the )?`|\b(?:the|all|unit|integration) tests? (?:SHALL|MUST|passes|pass|covers?|fails?|asserts?|verif\w+)\b"
            r"|\b(?:constructor|source code|type-?checks?|compiles|codebase)\b",
            _SEEN,
        ),
        (
            "the code, which no client sees",
            r"^(?:and )?(?:the|an?|each|it) ?(?:[\w`-]+ ){0,2}(?:controller|handler|middleware|plug|mapper|repository|interceptor|processor"
            r"|listener|use case|mediator|factory|serializer|route handler)\b(?: method)? (?:(?:SHALL|MUST) )?(?:not |NOT )?(?:creates?|converts?|pass(?:es)?|calls?"
            r"|delegates?|maps?|constructs?|uses?|invokes?|discards?|publishes|publish|wraps?|catch(?:es)?|extends?)\b"
            r"|^(?:it )?(?:SHALL|MUST) (?:convert|map|delegate|pass) .{0,80}`[A-Z]\w+`"
            r"|^(?:it )?(?:SHALL|MUST) (?:pass|delegate) the \w+ to `",
            _PAINTED,
        ),
        (
            "a message or a job of the server, which no client sees",
            r"\b(?:is|are|SHALL be|MUST be) (?:published to|enqueued|queued|dispatched to)\b|\b(?:publishes|enqueues)\b|\bKafka\b"
            r"|\b(?:an?|the|no) (?:[\w-]+ )?(?:e-?mail|SMS) (?:is|SHALL be|MUST be) (?:sent|delivered)\b",
            _SEEN,
        ),
        (
            "files of the repository or of the machine, which no client sees",
            r"`[\w./~-]+\.(?:md|py|ts|tsx|js|go|rs|java|sql|toml|ya?ml|sh|lock|css|html)` (?:exists?|is|are|SHALL|MUST|contains?|has|defines?"
            r"|provides?|documents?)\b|\b(?:Dockerfile|docker-compose|README|CHANGELOG|\.env(?:\.example)?|gitignore)\b",
            _SEEN,
        ),
    )
)
"""Results that no client of a server sees, with the reason and the words that speak against the reason."""


def unseen_reason(text: str) -> str:
    """Returns why no client of a server sees the result in a THEN, `""` if a client may."""
    return next(
        (
            reason
            for reason, result, evidence in _RESULTS
            if result.search(text) and not evidence.search(text)
        ),
        "",
    )


def outside_reason(scenario: Scenario, context: StepContext) -> str:
    """Returns why no client of a server performs the action of a scenario, or sees any of its results.

    `""` if a client may. A scenario without WHEN begins with its GIVEN.
    """
    for role in (Role.WHEN, Role.GIVEN):
        words = " ".join(step.text for step in scenario.steps if step.role is role)
        if words:
            break
    if COMMAND_RUN.search(words):
        return "a command line, outside of the server"
    identifiers = set(re.findall(r"[A-Za-z0-9_.-]+", words))
    if (
        client_request(scenario)
        or identifiers & context.tools.keys()
        or re.search(r"\btools?\b", words)
    ):
        return ""
    # Beside a request of another program, only a user interface is certain.
    rows = _OUTSIDE[:1] if REQUEST.search(words) else _OUTSIDE
    reason = next((reason for reason, action in rows if action.search(words)), "")
    thens = [step.text for step in scenario.steps if step.role is Role.THEN]
    is_seen = any(_SEEN.search(text) for text in thens)
    # Without WHEN the words are a state, which says nothing about the sender of a request.
    if reason and (role is Role.WHEN or not is_seen):
        return reason
    if not is_seen and _CONFIGURED.search(words):
        return "the configuration of the process, which no client sets"
    reasons = [unseen_reason(text) for text in thens]
    return reasons[0] if reasons and all(reasons) else ""
