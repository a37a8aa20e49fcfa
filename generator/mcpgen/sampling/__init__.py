"""Values made up to fit a JSON Schema 2020-12: the same for the same schema, on every machine."""

from mcpgen.sampling.api import sample, valid
from mcpgen.sampling.reachable_defs import ReachableDefs

__all__ = ["ReachableDefs", "sample", "valid"]
