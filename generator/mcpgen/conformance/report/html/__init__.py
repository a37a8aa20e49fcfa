"""The sections of the HTML report, each a function from values to markup."""
