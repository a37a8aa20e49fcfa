"""`mcpgen init`: asks about description, tools, callers, hosting and directory, and writes
`mcpgen.toml`."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mcpgen.cli.console import echo, say
from mcpgen.cli.options import command_line, count

if TYPE_CHECKING:
    from mcpgen.analysis import ToolListing

FOLDERS = ("", "api", "docs", "spec", "specs")
"""The folders in which a description is looked for."""

SUFFIXES = (".yaml", ".yml", ".json")
"""The endings of descriptions."""

_DESCRIPTION = re.compile(rb"""(?m)^\s*\{?\s*["']?(?:openapi|swagger)["']?\s*:""")
"""A line with the member `openapi` or `swagger`, at any depth: a guess. The question shows the file."""

_HEAD = 4096
"""The bytes of a file that are searched for the member, which is usually the first."""


ConfigValues = dict[str, bool | str | list[str]]
"""Values of `mcpgen.toml` by dotted key."""


class ToolsChoice(StrEnum):
    """The operations that become tools, and the way clients find the tools."""

    ALL = "all"
    READ_ONLY = "read-only"
    SEARCH = "search"


class CallersChoice(StrEnum):
    """The callers that the server answers."""

    ANYONE = "anyone"
    OAUTH = "oauth"


class HostingChoice(StrEnum):
    """The place where the server runs."""

    HERE = "here"
    COMPOSE = "compose"
    KUBERNETES = "kubernetes"


class DirectoryChoice(StrEnum):
    """The directory for whose review the server is configured."""

    NONE = "none"
    CLAUDE = "claude"
    CHATGPT = "chatgpt"


TOOLS: Mapping[ToolsChoice, ConfigValues] = {
    ToolsChoice.ALL: {},
    ToolsChoice.READ_ONLY: {"select.include": ["read_only:true"]},
    ToolsChoice.SEARCH: {"discovery.mode": "on"},
}
CALLERS: Mapping[CallersChoice, ConfigValues] = {
    CallersChoice.ANYONE: {},
    CallersChoice.OAUTH: {"authentication.required": True},
}
HOSTING: Mapping[HostingChoice, ConfigValues] = {
    HostingChoice.HERE: {},
    HostingChoice.COMPOSE: {"deploy.compose": True},
    HostingChoice.KUBERNETES: {"deploy.kubernetes": True},
}
DIRECTORIES: Mapping[DirectoryChoice, ConfigValues] = {
    DirectoryChoice.NONE: {},
    DirectoryChoice.CLAUDE: {},
    DirectoryChoice.CHATGPT: {
        "output.schemas": "names",
        "descriptions.detail": "rich",
        "descriptions.destructive": "removals",
    },
}
"""The keys of `mcpgen.toml` that an answer sets."""

MEANINGS: Mapping[StrEnum, str] = {
    ToolsChoice.ALL: "every operation is a tool",
    ToolsChoice.READ_ONLY: "only operations that change nothing are tools",
    ToolsChoice.SEARCH: "every operation is a tool, and clients see a search for tools instead of the list",
    CallersChoice.ANYONE: "every caller that reaches the server",
    CallersChoice.OAUTH: "callers with a token of your OAuth issuer",
    HostingChoice.HERE: "as a process, or in a container of your own",
    HostingChoice.COMPOSE: "in containers behind a reverse proxy, by a Compose file",
    HostingChoice.KUBERNETES: "in a cluster, by Kubernetes manifests",
    DirectoryChoice.NONE: "in no directory",
    DirectoryChoice.CLAUDE: "Claude's; the review asks for what tools have by default",
    DirectoryChoice.CHATGPT: "ChatGPT's; tools announce output schemas, and only removals as destructive",
}
"""The answers in words."""


@dataclass(frozen=True, slots=True)
class SetupQuestion:
    """A question with a proposal: the reason is one sentence. `answers` are the permitted answers,
    empty for any text; `problem` returns the rule that an answer breaks, or `""`."""

    text: str
    proposal: str
    reason: str
    answers: tuple[StrEnum, ...] = ()
    problem: Callable[[str], str] = lambda answer: ""


Ask = Callable[[SetupQuestion], str]
"""Returns a permitted answer to a question."""


def init(
    folder: Annotated[
        str,
        typer.Argument(
            metavar="[DIR|SPEC]",
            help="The project's folder, or the API description of a project in this folder.",
            show_default=False,
        ),
    ] = ".",
    spec: Annotated[
        str,
        typer.Option(
            metavar="SPEC",
            help="The API description or the requirements; without it, the description in DIR.",
            show_default=False,
        ),
    ] = "",
    tools: Annotated[
        ToolsChoice | None, typer.Option(help="The operations that become tools.")
    ] = None,
    callers: Annotated[
        CallersChoice | None, typer.Option(help="The callers that the server answers.")
    ] = None,
    issuer: Annotated[
        str,
        typer.Option(
            metavar="URL", help="The OAuth issuer, with --callers oauth.", show_default=False
        ),
    ] = "",
    hosting: Annotated[
        HostingChoice | None, typer.Option(help="The place where the server runs.")
    ] = None,
    directory: Annotated[
        DirectoryChoice | None, typer.Option(help="The directory that lists the server.")
    ] = None,
) -> None:
    """Ask about the main settings, and write mcpgen.toml.

    An option answers its question. Without a terminal the proposals are taken. Nothing is written before
    the last answer.
    """
    from mcpgen.config import NAME
    from mcpgen.pipeline import write_config

    if Path(folder).is_file() or (Path(folder).suffix in SUFFIXES and not Path(folder).is_dir()):
        if spec:
            raise typer.BadParameter(
                f"two descriptions are named, `{folder}` and `{spec}`.", param_hint="--spec"
            )
        folder, spec = ".", folder
    target = Path(folder) / NAME
    if target.exists():
        raise typer.BadParameter(f"{target.as_posix()} exists; edit the file.", param_hint="DIR")
    answers = {"spec": spec, "tools": tools, "callers": callers, "issuer": issuer}
    answers |= {"hosting": hosting, "directory": directory}
    ask = ask_person if sys.stdin.isatty() and sys.stderr.isatty() else take_proposal
    try:
        values = collect_config_values(
            Path(folder), {name: str(value or "") for name, value in answers.items()}, ask
        )
    except typer.Abort:
        # Ctrl-C at a prompt: reported as at any other time.
        raise KeyboardInterrupt from None
    write_config(target.parent, values)
    enter = () if folder == "." else ("-o", folder)
    echo(f"wrote {target.as_posix()}; next: {command_line('mcpgen', 'build', *enter)}")


def collect_config_values(folder: Path, answers: Mapping[str, str], ask: Ask) -> ConfigValues:
    """The keys of `mcpgen.toml` from the answers; an answer in `answers` is not asked for. Raises
    BadParameter for an unusable answer, and exits with 1 for a description with errors."""
    from mcpgen.cli.load_target import load_listing
    from mcpgen.pipeline import BuildOptions

    spec = _ask_question(_spec_question(folder), answers["spec"], ask, "--spec")
    listing = load_listing(spec, BuildOptions())
    values: ConfigValues = {"spec": os.path.relpath(spec, folder).replace(os.sep, "/")}
    values |= TOOLS[
        ToolsChoice(_ask_question(_tools_question(listing), answers["tools"], ask, "--tools"))
    ]
    callers = CallersChoice(_ask_question(CALLERS_QUESTION, answers["callers"], ask, "--callers"))
    values |= CALLERS[callers]
    if callers is CallersChoice.OAUTH:
        issuer = _ask_question(ISSUER_QUESTION, answers["issuer"], ask, "--issuer")
        values |= {"authentication.issuer": issuer} if issuer else {}
    elif answers["issuer"]:
        raise typer.BadParameter("--issuer needs --callers oauth.")
    hosting = HostingChoice(_ask_question(HOSTING_QUESTION, answers["hosting"], ask, "--hosting"))
    directory = _ask_question(DIRECTORY_QUESTION, answers["directory"], ask, "--directory")
    return values | HOSTING[hosting] | DIRECTORIES[DirectoryChoice(directory)]


def _ask_question(question: SetupQuestion, answer_from_options: str, ask: Ask, option: str) -> str:
    answer = answer_from_options or ask(question)
    if problem := question.problem(answer):
        raise typer.BadParameter(problem, param_hint=option)
    return answer


def _spec_question(folder: Path) -> SetupQuestion:
    specs = list(find_specs(folder))
    proposal = specs[0] if specs else ""
    reason = "No API description was found in the folder."
    if specs:
        others = f", and of {count(len(specs) - 1, 'further description')}" if specs[1:] else ""
        reason = f"`{proposal}` is the first in the order of usual names{others}."
    return SetupQuestion("Which API description?", proposal, reason, problem=_spec_problem)


def _spec_problem(answer: str) -> str:
    if not answer:
        return "name the API description."
    return "" if Path(answer).exists() else f"there is no file `{answer}`."


def find_specs(folder: Path) -> Iterator[str]:
    """Paths of the API descriptions in a folder, then of the OpenSpec folder. The order is that of
    `FOLDERS`; inside of a folder, names that begin with `openapi` come first."""
    for name in FOLDERS:
        paths = (folder / name).glob("*") if (folder / name).is_dir() else ()
        files = [path for path in paths if path.suffix in SUFFIXES and path.is_file()]
        for path in sorted(
            files, key=lambda path: (not path.name.startswith("openapi"), path.name)
        ):
            with path.open("rb") as stream:
                if _DESCRIPTION.search(stream.read(_HEAD)):
                    yield path.as_posix()
    if (folder / "openspec" / "specs").is_dir():
        yield (folder / "openspec").as_posix()


def _tools_question(listing: ToolListing) -> SetupQuestion:
    from mcpgen.config.tables.project import MANY_TOOLS

    annotations = [tool.get("annotations") or {} for tool in listing.tools]
    reading = sum(bool(hints.get("readOnlyHint")) for hints in annotations)
    is_many = len(listing.tools) > MANY_TOOLS
    return SetupQuestion(
        "Which tools?",
        ToolsChoice.SEARCH if is_many else ToolsChoice.ALL,
        f"The description gives {count(len(listing.tools), 'tool')}, of which {reading} only read; "
        f"models choose well among up to {MANY_TOOLS}.",
        tuple(ToolsChoice),
    )


CALLERS_QUESTION = SetupQuestion(
    "Who calls?",
    CallersChoice.ANYONE,
    "A server without authentication listens on this machine only, unless its host is set.",
    tuple(CallersChoice),
)
HOSTING_QUESTION = SetupQuestion(
    "Where does the server run?",
    HostingChoice.HERE,
    "A project has a Dockerfile in any case; `compose` and `kubernetes` add files for several processes.",
    tuple(HostingChoice),
)
DIRECTORY_QUESTION = SetupQuestion(
    "Which directory lists the server?",
    DirectoryChoice.NONE,
    "The reviews of Claude's and ChatGPT's directories ask for different hints.",
    tuple(DirectoryChoice),
)


def _issuer_problem(answer: str) -> str:
    from mcpgen.config.validators import is_word

    return "" if not answer or is_word(answer) else "write a text without spaces."


ISSUER_QUESTION = SetupQuestion(
    "Which issuer (the claim `iss` of tokens)?",
    "",
    "Without an answer the variable <NAME>_CALLER_ISSUER names the issuer where the server runs.",
    problem=_issuer_problem,
)


def take_proposal(question: SetupQuestion) -> str:
    """Returns the proposal, `""` without one: the answer where no person can be asked."""
    return str(question.proposal)


def ask_person(question: SetupQuestion) -> str:
    """Asks at the terminal until an answer is permitted; Enter takes the proposal. Returns the
    answer without spaces at the ends."""
    say(f"\n{question.text}  {question.reason}")
    for answer in question.answers:
        say(f"  {answer}: {MEANINGS[answer]}")
    while True:
        proposal = str(question.proposal)
        has_proposal = bool(proposal)
        reply: str = typer.prompt(
            " ", proposal, prompt_suffix="> ", show_default=has_proposal, err=True
        )
        reply = reply.strip()
        words = [str(answer) for answer in question.answers]
        problem = question.problem(reply)
        if words and reply not in words:
            problem = "answer with one of " + ", ".join(words) + "."
        if not problem:
            return reply
        say(f"  {problem}")
