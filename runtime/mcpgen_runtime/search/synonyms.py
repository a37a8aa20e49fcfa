"""Synonyms of words in API names: plain English and technical jargon, from no single API."""

from __future__ import annotations

from collections.abc import Iterable

from .stemming import split_list, stem_word


def _groups(text: str) -> tuple[str, ...]:
    """Splits a comma-separated text into groups."""
    return tuple(group.strip() for group in text.split(","))


ALIKE = _groups("""
repo repository, org organization organisation, env environment, var variable, config
configuration configure, app application, db database, dir directory folder, doc documentation
document, auth authentication authenticate, authn authentication authenticate, authz
authorization authorize, admin administrator, info information, img image, pic picture image
photo, msg message, dm direct, spec specification, stat statistic, param parameter, arg
argument, attr attribute, prop property, pwd password, cert certificate, sub subscription, perm
permission, id identifier, ref reference, vm machine, ssl tls, logout signout logoff, login
signin logon, signup register registration, email mail, sms text message, color colour, license
licence, center centre, catalog catalogue, program programme, dialog dialogue, gray grey,
cancelled canceled cancel cancellation, dns nameserver, cron schedule, acl permission, pvc
claim, ns namespace, metric measurement, people person, acct account, addr address, amt amount,
qty quantity, num number, desc description, dest destination, src source, tx transaction txn, cc
card, tel telephone phone, mobile cell cellphone, lang language, loc location, geo geographic
location, lat latitude, lng longitude, temp temporary, max maximum, min minimum, avg average
mean, prod production, dev development developer, pkg package, lib library, func function, exec
execute, cmd command, conn connection, sess session, sync synchronize synchronization, async
asynchronous, proc process, svc service, srv server, infra infrastructure, k8s kubernetes, lb
balancer, fw firewall, oidc openid, otp code, ml model, ai intelligence, llm model, genai
generative, vs versus, tz timezone, ad advertisement advert, rep representative, dept
department, hr employee, pto vacation, ooo absence
""")
"""Abbreviations and spelling variants of the same word."""

_WORK = """
rollback revert previous earlier, version revision history older previous earlier checkpoint,
latest last newest recent current, recently recent latest last, old previous past former, code
source, branch ref reference, library package module dependency, plugin extension addon
integration, command instruction, todo task checklist, issue ticket bug problem case incident,
bug defect error, comment reply note discussion conversation remark feedback, document file
content attachment paper, notebook document file content, text content body, title name subject
heading, label tag keyword, category topic group kind class, template blueprint preset, draft
unpublished, language locale, trash bin deleted recycle, zip archive compressed, folder
directory collection, thumbnail preview image, image picture photo avatar icon photograph media,
video movie clip film media, audio sound voice recording speech, picture media attachment, aloud
speech voice audio, chart graph plot diagram visualization, widget panel tile cell chart graph,
report summary analysis statistic, summary summarize overview abstract digest, table sheet grid
spreadsheet, row record entry line, column field attribute property, schema structure model
definition, query search question, data content record value, points measurement record sample
data, bar candle candlestick
"""
"""Texts, versions, code, pictures and tables."""

_MACHINES = """
server instance machine host computer node device, device hardware equipment gadget machine,
node host peer member, cluster farm, container pod, terminal console shell pty tty, disk storage
volume drive space, memory ram, cpu processor, kernel engine runtime, domain host site website
hostname, site website page, url link address, link url href permalink, ip address, network
subnet vpc, route path, region zone location datacenter, webhook hook callback, event activity
history occurrence, log output trace record, audit log history trail activity, metric statistic
usage measure monitoring, alert warning notification alarm, alert monitor rule, outage incident
downtime, maintenance downtime window, status state health condition, alive health healthy up
ping ready status, healthy health status, working status health, online connected active,
offline disconnected inactive, running active, version release build, backup snapshot dump
export, cache buffer, queue line waiting backlog, waiting pending queue, pending open unfinished
waiting incomplete unconfirmed, unfilled pending open, filled executed complete, job task run
execution, pipeline workflow process, cron schedule timer, limit quota rate cap threshold,
setting configuration option preference property parameter, function method procedure, secret credential password key, password credential
secret auth passphrase, credential secret token key, certificate tls ssl https, token key,
fingerprint hash checksum digest, signature sign, login authenticate session, logout session
terminate
"""
"""Machines, networks and software."""

_PEOPLE = """
user account member membership person profile someone somebody employee anyone, user me current
authenticated own self myself, member everyone people collaborator participant membership
attendee, participant attendee member guest, guest visitor, customer client buyer shopper
consumer, seller vendor merchant supplier, employee worker staff colleague, candidate applicant,
student pupil learner, teacher instructor tutor, patient client, doctor physician practitioner
provider, driver courier, owner holder proprietor, author writer creator, friend contact
relationship connection, contact person lead, group team squad, group role, role permission
privilege, permission access right privilege grant, organization company team enterprise
business, address location, phone telephone number, agent bot assistant ai model, shift duty
schedule roster
"""
"""People and permissions."""

_TALK = """
message chat post, conversation chat thread session dialogue, channel room, emoji reaction,
react reaction, poll survey vote, form submission questionnaire, meeting appointment event call,
calendar schedule agenda, invitation invite, reminder notification, campaign newsletter,
recipient receiver addressee, sender origin
"""
"""Communication between people."""

_MONEY = """
owe balance due debt, money balance fund cash, balance credit amount, amount sum total value
quantity number, amount balance total, count number total amount, invoice bill receipt, bill
billing invoice charge cost, price cost amount fee spend expense rate, fee cost commission
charge, earning revenue income profit, salary wage payroll pay, tax vat duty, discount coupon
promotion voucher rebate, payment transaction charge transfer, transaction transfer movement,
order purchase, order trade, cart basket, product item article, goods product merchandise, stock
inventory availability, warehouse depot, shipment delivery parcel package, shipping delivery,
card payment, wallet account, bank account, currency money, exchange rate conversion, instrument
security asset symbol, stock share equity, position holding, portfolio holding position account,
quote price, loan credit, subscription plan membership, plan tier size, contract agreement,
dispute complaint chargeback, usage use consumption utilization spending, reservation booking
"""
"""Money and trade."""

_PLACES = """
place location venue site spot, shop store, country region territory nation, city town, road
street route, trip journey ride travel, flight plane, hotel accommodation lodging room, weather
forecast, date day time, hour time, duration length period time, retention
duration expire keep, deadline due, upcoming next future scheduled planned, today daily day,
yearly annual year, monthly month, holiday vacation leave absence, timeline history feed
"""
"""Places and times."""

_STATES = """
failed error failure unsuccessful, succeeded successful complete passed, done complete finished
closed, blocked banned suspended, paused suspended inactive, unpaid open due outstanding
pending, outstanding unpaid pending due open, overdue late due past, expired inactive old,
available free vacant, busy occupied unavailable, urgent priority critical, unread new, hidden
private, public shared published, popular top trending, biggest largest top, nearby near closest
nearest location
"""
"""States."""

_REST = """
priority severity urgency importance, responsible owner assignee assigned, boss manager
supervisor, coworker colleague member user, oncall schedule rotation shift, deal opportunity
sale, board project, object file blob, spam junk, playback play player, skip next, audience list
segment, subscriber contact member, watcher follower subscriber, sprint iteration cycle,
milestone release, artifact build output, stage environment, bucket container storage, shard
partition, replica copy instance, expiry expiration ttl expire, lifetime expiration duration
ttl, proof evidence, evidence proof document, identity profile user, payee recipient
beneficiary, payer customer debtor, deposit topup fund, ledger journal transaction, entry record
line, budget limit spending, yield return interest, suggestion recommendation, subtitle caption
transcript, transcript transcription text, attempt try retry, timeout deadline, speed rate
performance latency, traffic bandwidth, visit session view, click event, ingredient component,
component part module, parent ancestor, child descendant, copy duplicate, change update
modification diff, difference diff change comparison, manual documentation guide help, picture
image, several many multiple bulk batch, bulk batch multiple, everywhere all everything,
everything all full complete entire whole, complete full whole, similar nearest close related,
page scroll paginate iterate, valid correct verify validate, error failure exception problem
fault, reason cause error log, result outcome output answer, answer response reply result,
request demand ask, kind type category sort, size length weight dimension, map geography
location, rule policy condition, policy rule, goal objective target aim, review rating feedback,
test trial check experiment, feature capability flag, experiment test variant split, score grade
mark rating, course class lesson, song track music, album record, movie film, book title,
article post story, blog post article, news article announcement headline, help support
assistance guide, model machine, embedding vector, dataset data table, training tuning, tool
function, prompt instruction message
"""
"""Degrees, numbers and other words."""

_EVERY = (_WORK, _MACHINES, _PEOPLE, _TALK, _MONEY, _PLACES, _STATES, _REST)

CLOSE = _groups(",".join(_EVERY))
"""Words of nearly the same meaning, or used in place of the first word."""


INTENT_VERBS = (
    "get fetch read show retrieve view see display describe inspect detail obtain +get",
    "get load open print output tell +get",
    "list show enumerate browse +list",
    "list get fetch view retrieve +list",
    "search find query lookup locate filter look discover seek scan +list",
    "find get +get",
    "check verify test validate probe confirm ensure +get",
    "check get status +get",
    "compare diff contrast difference +get",
    "download export archive content get pull +get",
    "watch monitor follow track observe stream tail listen subscribe +get",
    "decode parse interpret explain describe +get",
    "calculate compute estimate predict forecast evaluate preview simulate quote +get",
    "create add new make insert upsert register define provision establish +create",
    "create open start raise file launch spawn initiate +create",
    "create write generate build issue produce compose draft render +create",
    "create upload post submit save publish record store +create",
    "upload import put add +create",
    "add append attach include put insert +create",
    "join enter register subscribe signup +create",
    "buy purchase order acquire +create",
    "book reserve allocate order +create",
    "save store keep remember persist write record put +create",
    "leave comment note say +create",
    "delete remove destroy drop erase discard scrap kill trash +delete",
    "delete purge clear wipe empty clean prune flush forget +delete",
    "delete cancel revoke dismiss undo end quit abort terminate stop +delete",
    "cancel void annul abandon drop withdraw +delete",
    "remove kick expel evict eject exclude throw +delete",
    "delete unassign detach disconnect unlink remove unset unsubscribe unmount +delete",
    "lift remove undo +delete",
    "release free relinquish return +delete",
    "uninstall remove delete +delete",
    "stop quit cancel delete +delete",
    "update edit change modify patch set replace alter adjust correct put amend fix revise +update",
    "update rename move configure resize mark customize tweak +update",
    "update close resolve finish complete end archive +update",
    "increase raise grow extend expand boost scale resize update +update",
    "decrease reduce lower shrink shorten limit resize update +update",
    "refresh reload renew sync synchronize update +update",
    "replace overwrite swap substitute exchange switch +update",
    "reset restore update +update",
)
"""Verbs with the intent they express, marked by `+`."""

ACTIONS = (
    "send deliver transmit dispatch",
    "send post message create submit publish broadcast",
    "send email mail",
    "text message send",
    "call dial phone ring",
    "notify alert warn inform remind tell",
    "start begin launch run execute trigger dispatch invoke initiate",
    "start create open",
    "run exec execute perform process",
    "stop cancel end abort halt terminate kill shutdown interrupt",
    "end finish complete close hang",
    "restart reboot rerun retry redeploy reload relaunch bounce",
    "rerun run retry restart repeat clear",
    "enable activate allow",
    "disable deactivate suspend block ban inactivate",
    "activate deactivate",
    "ban block kick",
    "unban unblock",
    "mute silence quiet snooze suppress downtime",
    "pause suspend hold stop freeze",
    "resume continue unpause proceed unmute reactivate",
    "copy clone duplicate fork replicate",
    "move transfer migrate relocate rename",
    "rename name title label",
    "attach connect assign link bind associate add mount put pair",
    "connect join peer",
    "approve accept confirm authorize allow grant permit",
    "reject decline deny refuse dismiss disapprove",
    "give grant assign add allow permit",
    "revoke withdraw invalidate reset expire",
    "expire end invalidate deactivate update",
    "invite add invitation",
    "share collaborate collaboration publish expose",
    "restore recover undelete revert rollback undo reinstate",
    "revert undo rollback reverse",
    "lock freeze pause block hold",
    "unlock unfreeze resume unpause",
    "clear flush purge empty invalidate reset",
    "merge combine join consolidate",
    "split divide separate",
    "review approve",
    "ask request",
    "ask prompt question query chat",
    "answer reply respond response",
    "schedule plan",
    "postpone delay reschedule defer",
    "pay payment charge bill",
    "sell buy trade order",
    "refund return reimburse repay",
    "withdraw withdrawal payout",
    "deploy deployment publish release",
    "upgrade update install",
    "install add create",
    "ship fulfil fulfill deliver send",
    "forward redirect relay pass",
    "convert transform translate change",
    "summarize generate",
    "translate translation",
    "speak say read speech voice",
    "listen hear transcribe transcription audio",
    "measure metric track",
    "rate score rank vote",
    "acknowledge ack confirm accept",
    "escalate raise",
    "onboard create invite add",
    "offboard remove deactivate delete",
    "decommission remove delete terminate",
    "promote upgrade",
    "demote downgrade",
    "recommend suggest",
    "classify categorize label",
    "moderate moderation",
    "detect recognize find",
    "delegate assign transfer",
    "renew extend prolong",
    "redeem use apply",
    "tune train",
    "embed embedding",
    "crop resize",
    "print output",
    "skip next",
    "play start resume",
    "spend cost usage expense",
    "owe balance due",
    "own owned",
    "belong member membership",
    "expel ban",
    "trade order",
    "transfer send",
    "top deposit",
    "reach connect access",
    "like favorite favourite star bookmark heart",
    "follow subscribe watch",
    "unfollow unsubscribe unwatch",
    "hide unlist archive",
    "report flag submit",
    "vote ballot poll",
    "sign signature",
    "announce broadcast publish",
    "fire trigger send",
    "crawl scrape collect gather",
    "collect gather receive",
    "fail error failure crash",
)
"""Groups of verbs that change something, and related words."""


SILENT = split_list(
    "a about am an and any are as at be been by can could did do does for from had has have "
    "how i if in into is it its just let like me much my of on or our out please so some such than "
    "that the their them then there these they this those to us want was way we were what "
    "when where which who whom whose why will with would you your s t am pls plz"
)
"""Stop words of a question."""

EQUAL = 0.95
SAME = 0.6
"""Weights of a spelling variant and of a synonym."""


def _add_groups(groups: Iterable[str], weight: float, into: dict[str, dict[str, float]]) -> None:
    for group in groups:
        stems = [stem_word(word) for word in group.split() if not word.startswith("+")]
        for stem in stems:
            weights = into.setdefault(stem, {})
            for synonym in stems:
                if synonym != stem:
                    weights[synonym] = max(weights.get(synonym, 0.0), weight)


def _build_synonyms() -> dict[str, dict[str, float]]:
    synonyms: dict[str, dict[str, float]] = {}
    _add_groups((*INTENT_VERBS, *ACTIONS, *CLOSE), SAME, synonyms)
    _add_groups(ALIKE, EQUAL, synonyms)
    return synonyms


def _build_intents() -> dict[str, dict[str, float]]:
    weights: dict[str, dict[str, float]] = {}
    for group in INTENT_VERBS:
        intents = {word: 1.0 for word in group.split() if word.startswith("+")}
        for word in group.split():
            if word not in intents:
                weights.setdefault(stem_word(word), {}).update(intents)
    return weights


SYNONYMS = _build_synonyms()
"""By stem: synonyms with weights."""

INTENTS_BY_STEM = _build_intents()
"""By stem of a verb: the intents."""

METHODS = frozenset(
    map(
        stem_word,
        split_list(
            "get list read show fetch create post add put patch update replace delete remove all"
        ),
    )
)
"""Stems in names that repeat the method."""

VERBS = frozenset(stem_word(word) for group in (*INTENT_VERBS, *ACTIONS) for word in group.split())
"""Stems of all verbs."""
