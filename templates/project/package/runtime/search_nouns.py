"""Nouns and the like that may stand for one another in a question and in the name of a tool.

Plain English and the jargon of the trade; nothing here was taken from one API.
"""

from __future__ import annotations


def _groups(text: str) -> tuple[str, ...]:
    """The groups of a text that a comma stands between."""
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
"""Words that are one word: short forms and other spellings."""

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
"""Machines, networks and what runs on them."""

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
"""People and what they may do."""

_TALK = """
message chat post, conversation chat thread session dialogue, channel room, emoji reaction,
react reaction, poll survey vote, form submission questionnaire, meeting appointment event call,
calendar schedule agenda, invitation invite, reminder notification, campaign newsletter,
recipient receiver addressee, sender origin
"""
"""What people say to each other."""

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
"""States that something may be in."""

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
"""Degrees, numbers and the rest."""

_EVERY = (_WORK, _MACHINES, _PEOPLE, _TALK, _MONEY, _PLACES, _STATES, _REST)

CLOSE = _groups(",".join(_EVERY))
"""Words that mean nearly the same, or that one stands for where the other is looked for."""
