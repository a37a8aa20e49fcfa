"""Values made up to fit a JSON Schema 2020-12: the same for the same schema, on every machine."""

from mcpgen.samples.met import Met
from mcpgen.samples.sample import sample, valid

__all__ = ["Met", "sample", "valid"]
