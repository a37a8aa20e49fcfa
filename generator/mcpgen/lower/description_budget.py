"""How many characters are spent on each tool: more where the tools are few."""

from __future__ import annotations

from dataclasses import dataclass

from mcpgen.config import Detail

FEW = 128
"""The most operations of a list that is told richly; beyond it model APIs refuse the list at once,
so that it is not read as a whole."""


@dataclass(frozen=True, slots=True)
class Budget:
    """Characters taken from the document's prose for a tool and for an argument, and those that the
    `type` of an argument in JSON may have to show what lies deep. `brief` tells that
    what can be known without it is left out: titles that the description repeats, hints that have
    their default, and the words for defaults that the schema says: who leaves an argument out gets
    them anyway."""

    tool: int
    argument: int
    type: int
    brief: bool


RICH = Budget(tool=300, argument=200, type=440, brief=False)
LEAN = Budget(tool=120, argument=100, type=320, brief=True)


def budget(detail: Detail, operations: int) -> Budget:
    """The budget of each tool in a list that is made of so many operations."""
    few = operations <= FEW
    return {Detail.RICH: RICH, Detail.LEAN: LEAN, Detail.AUTO: RICH if few else LEAN}[detail]
