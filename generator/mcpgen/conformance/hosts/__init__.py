"""Facts about hosts, model APIs and frameworks (`facts.json`), and the checks made from the facts."""
