"""The parts of the page that shows a report, each a function from values to markup."""
