"""Rate limits, concurrency, retries and circuit breakers."""
