"""The mutation score of `mcpgen check`: the share of deliberate defects that a run reports."""
