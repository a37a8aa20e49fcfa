"""`python -m mcpgen`."""

from mcpgen.cli import main

if __name__ == "__main__":
    main()
