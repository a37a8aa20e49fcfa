"""What people say for what an API calls otherwise: plain English and the jargon of the trade.

Nothing here was taken from one API; a word that only one vendor uses does not belong here.
"""

from __future__ import annotations

from collections.abc import Iterable

from .words import listed, stem

SILENT = listed(
    "a about am an and any are as at be been by can could did do does for from had has have "
    "how i if in into is it its just let like me much my of on or our out please so some such than "
    "that the their them then there these they this those to us want was way we were what "
    "when where which who whom whose why will with would you your s t am pls plz"
)
"""Words of a question that say nothing about what is asked for."""

PHRASES: dict[tuple[str, ...], str] = {
    ("pr",): "pull request",
    ("prs",): "pull requests",
    ("mr",): "merge request",
    ("ci",): "workflow build",
    ("cd",): "deployment",
    ("k8s",): "kubernetes",
    ("whoami",): "current user",
    ("who", "am"): "current user",
    ("how", "many"): "count",
    ("log", "in"): "login",
    ("logged", "in"): "login",
    ("sign", "in"): "login",
    ("log", "out"): "logout",
    ("sign", "out"): "logout",
    ("sign", "up"): "register",
    ("set", "up"): "configure",
    ("turn", "on"): "enable",
    ("turn", "off"): "disable",
    ("switch", "on"): "enable",
    ("switch", "off"): "disable",
    ("shut", "down"): "shutdown",
    ("roll", "back"): "rollback",
    ("get", "rid"): "delete",
    ("throw", "away"): "delete",
    ("take", "back"): "revoke",
    ("clean", "up"): "prune",
    ("look", "up"): "find",
    ("back", "up"): "backup",
    ("pay", "out"): "payout",
}
"""What people write in one or several words, and what it means."""

_DEEDS = (
    "get fetch read show retrieve view see display describe inspect detail +get",
    "list show enumerate browse all every each available +list",
    "list get fetch view retrieve +list",
    "search find query lookup locate filter look +list",
    "find get +get",
    "check verify test validate probe +get",
    "check get +get",
    "download export archive content get +get",
    "create add new make insert upsert register +create",
    "create open start raise +create",
    "create write generate build issue produce compose draft +create",
    "create upload post submit save publish record +create",
    "upload import put add +create",
    "delete remove destroy drop erase discard +delete",
    "delete purge clear wipe empty clean prune flush +delete",
    "delete cancel revoke dismiss undo end quit +delete",
    "delete unassign detach disconnect unlink remove unset unsubscribe unmount +delete",
    "update edit change modify patch set replace alter adjust correct put amend +update",
    "update rename move configure resize mark +update",
    "update close resolve finish complete end archive +update",
)
"""Verbs that may stand for one another, with the mark of what they do."""

_ACTIONS = (
    "send deliver transmit",
    "send post message create",
    "notify alert warn inform",
    "start begin launch run execute trigger dispatch invoke initiate",
    "run exec execute",
    "stop cancel end abort halt terminate kill shutdown interrupt",
    "restart reboot rerun retry redeploy",
    "rerun run retry restart",
    "enable activate allow",
    "disable deactivate suspend block ban",
    "ban block kick",
    "unban unblock",
    "copy clone duplicate fork replicate",
    "move transfer migrate relocate",
    "attach connect assign link bind associate add mount put",
    "connect join peer",
    "approve accept confirm authorize",
    "reject decline deny refuse dismiss",
    "give grant assign add allow permit",
    "revoke withdraw invalidate reset",
    "invite add invitation",
    "share collaborate collaboration",
    "restore recover undelete revert rollback undo",
    "lock freeze pause block hold",
    "unlock unfreeze resume unpause",
    "clear flush purge empty invalidate reset",
    "merge combine join",
    "review approve",
    "ask request",
    "reserve allocate",
    "schedule plan",
    "pay payment charge bill",
    "deploy deployment publish release",
)
"""Verbs that may stand for one another; each does something that changes something."""

_EQUAL = (
    "repo repository",
    "org organization",
    "env environment",
    "var variable",
    "config configuration configure",
    "app application",
    "db database",
    "dir directory folder",
    "doc documentation document",
    "auth authentication authenticate",
    "admin administrator",
    "info information",
    "img image",
    "pic picture image photo",
    "msg message",
    "dm direct",
    "spec specification",
    "stat statistic",
    "param parameter",
    "pwd password",
    "cert certificate",
    "sub subscription",
    "perm permission",
    "id identifier",
    "vm machine",
    "ssl tls",
    "logout signout",
    "login signin",
    "email mail",
    "color colour",
    "license licence",
    "cancelled canceled cancel",
    "dns nameserver",
    "cron schedule",
    "acl permission",
    "pvc claim",
    "ns namespace",
    "metric measurement",
    "people person",
)
"""Words that are one word: short forms and other spellings."""

_SAME = (
    "rollback revert previous earlier",
    "count number total amount",
    "backup snapshot dump export",
    "page scroll paginate iterate",
    "similar nearest close related",
    "usage use consumption utilization",
    "metric statistic usage measure monitoring",
    "owe balance due",
    "money balance fund",
    "invoice bill receipt",
    "price cost amount fee spend expense",
    "customer client",
    "user account member membership person profile someone somebody employee anyone",
    "user me current authenticated own self myself",
    "member everyone people collaborator participant membership",
    "login authenticate session",
    "logout session terminate",
    "password credential secret auth",
    "credential secret token key",
    "certificate tls ssl https",
    "server instance machine host",
    "permission access right privilege",
    "setting configuration option preference property",
    "size plan tier",
    "folder directory",
    "file document content attachment",
    "image picture photo avatar icon",
    "thumbnail preview image",
    "trash bin deleted recycle",
    "version revision history older previous",
    "latest last newest recent current",
    "event activity history",
    "log output trace",
    "webhook hook callback",
    "group team",
    "organization company team enterprise",
    "status state health condition",
    "job task",
    "comment reply note discussion conversation",
    "message chat post",
    "issue ticket bug",
    "label tag",
    "code source",
    "container pod",
    "alert warning notification",
    "discount coupon promotion",
    "zip archive",
    "everywhere all",
    "limit quota rate",
    "ip address",
    "emoji reaction",
    "react reaction",
    "ai agent model",
    "signature sign",
    "summary summarize overview",
    "command instruction",
    "several many multiple bulk batch",
    "disk storage volume space",
    "form submission",
)
"""Nouns and the like that may stand for one another."""

EQUAL = 0.95
SAME = 0.6
"""What a word counts that stands for the one that was asked for."""


def _table(groups: Iterable[str], weight: float, into: dict[str, dict[str, float]]) -> None:
    for group in groups:
        stems = [_known(word) for word in group.split()]
        for one in stems:
            others = into.setdefault(one, {})
            for other in stems:
                if other != one:
                    others[other] = max(
                        others.get(other, 0.0), 1.0 if other.startswith("+") else weight
                    )


def _known(word: str) -> str:
    return word if word.startswith("+") else stem(word)


def _tables() -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    _table((*_DEEDS, *_ACTIONS, *_SAME), SAME, found)
    _table(_EQUAL, EQUAL, found)
    return found


OTHERS = _tables()
"""By stem: the stems and marks that stand for it, and how much each counts."""

METHODS = frozenset(
    map(
        _known,
        listed("get list read show fetch create post add put patch update replace delete remove"),
    )
)
"""Stems that names begin with to say what the method says too."""

VERBS = frozenset(_known(word) for group in (*_DEEDS, *_ACTIONS) for word in group.split())
"""Stems that say what is to be done."""
