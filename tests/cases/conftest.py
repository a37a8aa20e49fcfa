"""Keeps the expected files of cases, which are tests of other projects, out of the collection."""

collect_ignore_glob = ["*/expected/*"]
