"""What hosts, model APIs and frameworks do with the tools of a server, as facts and checks.

The facts are data (`facts.json`, with source and date); one engine judges them all.
"""
