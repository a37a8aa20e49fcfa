"""Makes the options about scenarios known before any test is collected."""

pytest_plugins = ["tests.scenario_engine.plugin"]
