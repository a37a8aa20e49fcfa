# `make demo` shows everything in a minute, `make test` runs the test suite; both set up what they
# need. All that is asked of the machine is Python 3.11 or newer, and make.

VENV ?= .venv
# Two more than there are cores: a test that waits for a server leaves its core to others.
JOBS ?= $(shell $(BIN)/python -c 'import os; print((os.cpu_count() or 1) + 2)')
PYTHON ?= $(shell for python in python3 python3.13 python3.12 python3.11 python; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 \
	&& { echo $$python; break; }; done)

BIN := $(VENV)/bin
READY := $(VENV)/.ready

SPECS := $(wildcard specs/openapi/*.yaml specs/openapi/*/openapi.yaml)
REQUIREMENTS := $(wildcard specs/openspec/*/spec.md)
project = generated/$(notdir $(patsubst %/openapi,%,$(basename $(1))))
required = generated/$(subst -,_,$(notdir $(patsubst %/,%,$(dir $(1)))))

.PHONY: help setup demo docs example check test test-all test-thorough clients generated lint style types bench mutation lock pins schemas clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' Makefile

setup: $(READY) ## Create the virtual environment with everything in it

$(READY): pyproject.toml runtime/pyproject.toml requirements-dev.lock
	@test -n "$(PYTHON)" || { \
		echo "mcpgen needs Python 3.11 or newer; none was found." >&2; \
		echo "Install one, or name it: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)" >&2; \
		exit 2; }
	@echo "Setting up $(VENV) with $(PYTHON) ..."
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check \
		--constraint requirements-dev.lock --editable '.[dev]' --editable runtime
	@touch $(READY)

demo: $(READY) ## Build, check, start and call a server, before your eyes
	@$(BIN)/python docs/examples/demo.py

docs: $(READY) ## Build the documentation site in site/ (FLAGS="--version 0.2" keeps several)
	@$(BIN)/python -m docs.site $(FLAGS)

check: $(READY) ## Lint what differs from main and run its tests, for at most a minute
	@$(BIN)/python -m tests.changed

example: $(READY) ## Start an example with its API: make example NAME=launchpad (PORT=8000)
	@$(BIN)/python -m docs.examples $(NAME) $(if $(PORT),--port $(PORT))

# Hundreds of processes load mcpgen, and may be told not to keep what they have compiled.
test: $(READY) ## Run the test suite
	@$(BIN)/python -m compileall -q generator runtime
	@$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup

test-all: $(READY) ## Run the test suite and the tests that repeat it on other input
	@$(BIN)/python -m compileall -q generator runtime
	@$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup -m "not thorough"

test-thorough: $(READY) ## Run every test, and draw many more random examples
	@$(BIN)/python -m compileall -q generator runtime
	@$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup -m "" --hypothesis-profile thorough

clients: $(READY) ## Run every MCP client against generated servers (see docs/clients.md)
	@$(BIN)/python -m tests.clients

generated: $(READY) ## Rebuild generated/ from specs/ (FLAGS=--check only compares)
	@$(foreach spec,$(SPECS),$(BIN)/mcpgen build $(spec) -o $(call project,$(spec)) $(FLAGS) &&) \
	$(foreach spec,$(REQUIREMENTS),$(BIN)/mcpgen build $(spec) -o $(call required,$(spec)) $(FLAGS) &&) true

lint: style types ## Check format, style and types

style: $(READY)
	@$(BIN)/black --quiet --check --extend-exclude '^/generated/.*/_runtime/' \
		generator runtime templates tests benchmarks docs generated
	@$(BIN)/ruff check --quiet generator runtime templates tests benchmarks docs generated

types: $(READY)
	@$(BIN)/mypy --no-error-summary

bench: $(READY) ## Measure mcpgen and comparable tools (FLAGS=--write puts the tables into the pages)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check \
		--constraint requirements-dev.lock --editable '.[bench]'
	@$(BIN)/python -m benchmarks $(FLAGS)

mutation: $(READY) ## Run mcpgen check on 100 broken servers (see docs/mutation.md)
	@$(BIN)/python -m benchmarks.mutation --sample 100 $(FLAGS)

lock: $(READY) ## Resolve requirements-dev.lock and the pins of generated projects anew
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	@$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --extra dev --upgrade \
		--no-emit-index-url --no-header --no-annotate pyproject.toml -o requirements-dev.lock
	@$(MAKE) --no-print-directory pins

pins: $(READY) ## Resolve the packages of generated projects, with their hashes
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	@$(BIN)/python -m tests.update_pins

schemas: $(READY) ## Write docs/schemas/, the schemas that mcpgen schema prints
	@$(BIN)/python -m tests.update_schemas

clean: ## Remove what make and the tools have made
	@rm -rf $(VENV) .demo site benchmarks/.work dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
