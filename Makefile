# Everything starts here. `make run` and `make test` need Python 3.11 or later and make, and set up the rest themselves in .venv.

VENV := .venv
ifeq ($(OS),Windows_NT)
BIN := $(VENV)/Scripts
else
BIN := $(VENV)/bin
endif
READY := $(VENV)/.zermelo-ready
WORKERS ?= 2

# The first Python on the path that is recent enough; `make PYTHON=/path/to/python` overrides.
RECENT := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for name in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$name -c '$(RECENT)' >/dev/null 2>&1 && { echo $$name; break; }; done)

.PHONY: help run test slow lint format bench docs wheel clean

help: ## list what can be made
	@sed -n 's/^\([a-z]*\):[^#]*## \(.*\)/make \1	\2/p' Makefile

run: $(READY) ## the workbench in the browser; its address is printed first
	$(BIN)/zermelo web

test: $(READY) ## every test that is not marked slow
	$(BIN)/python -m pytest -q -n $(WORKERS) -m "not slow"

slow: $(READY) ## the tests marked slow
	$(BIN)/python -m pytest -q -n $(WORKERS) -m slow

lint: $(READY) ## ruff, mypy --strict, a user's file under mypy and pyright, and the layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --strict
	$(BIN)/mypy --strict tests/typed/user.py
	$(BIN)/pyright --pythonpath $(BIN)/python tests/typed/user.py
	$(BIN)/lint-imports
	if test -x node_modules/.bin/tsc; then node_modules/.bin/tsc --noEmit -p tsconfig.json; \
		else echo "The pages' types are not checked: npm install brings the TypeScript compiler."; fi

format: $(READY) ## rewrite the sources in the house format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(READY) ## the benchmarks, which assert their answers
	set -e; for benchmark in benchmarks/[a-z]*.py; do echo "$$benchmark"; $(BIN)/python "$$benchmark"; done

docs: $(READY) ## the documentation as a site of static files in site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

wheel: $(READY) ## build and check dist/zermelo-*: wheel and source
	rm -rf dist
	$(BIN)/python -m build
	$(BIN)/twine check --strict dist/*
	$(BIN)/check-wheel-contents dist/*.whl

clean: ## remove everything that make and the tools have made
	rm -rf $(VENV) node_modules build dist site .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find src tests examples benchmarks -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

# Made once, and again when the dependencies change.
$(READY): pyproject.toml
	@test -n "$(PYTHON)" || { echo "Zermelo needs Python 3.11 or later: install it, or name it with make PYTHON=/path/to/python." >&2; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) \
		|| { rm -rf $(VENV); echo "Python's venv module is missing: on Debian and Ubuntu, apt-get install python3-venv." >&2; exit 1; }
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@
