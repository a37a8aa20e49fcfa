"""Values of the OpenSpec stages: requirements, the companion, declared answers, bound scenarios."""
