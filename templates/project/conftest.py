"""Loads the plugin of scenario tests. pytest reads options only from plugins that the `conftest.py`
of its root folder loads."""

pytest_plugins = ["tests.scenario_engine.plugin"]
