# Everything that is done with this repository, one word each. `make` alone lists them.
#
# The first target that needs it makes the virtual environment $(VENV) and installs the package, editable, with the
# versions of constraints.txt. It is made again only when pyproject.toml or constraints.txt changes.

PYTHON ?= python3
VENV ?= .venv
# All cores. A scope is a game or a file (tests/conftest.py): each game is compiled by one process, once.
PYTEST_ARGS ?= -n auto --dist loadscope
BENCH_ARGS ?=
CLIENTS ?=

# What `make demo` runs.
DEMO := axiom-gym train quantaris --minutes 2
# `make coverage` fails below this percentage.
COVERAGE_MIN := 80

BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
UNFINISHED := $(VENV)/.installing
PIP_INSTALL := $(BIN)/python -m pip --disable-pip-version-check install -qq --no-compile --constraint constraints.txt

# The tests start many processes: without bytecode on disk each would compile every module that it imports.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help install demo test test-slow test-all lint types format coverage clients bench clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

install: $(STAMP) ## make the virtual environment, if it is missing or out of date

demo: $(STAMP) ## train a Quantaris agent for two minutes and watch it play
	@echo "Expect by agent-steps, whose number depends on the machine (0.6 to 3.5 M in two minutes):"
	@echo "  1 M: 0.79 against greedy, 0.69 against guardian   2 M: 0.83, 0.82   4 M: 0.84, 0.87"
	@$(BIN)/$(DEMO)

test: $(STAMP) ## run the tests but for the slow ones (PYTEST_ARGS="-k name")
	@$(BIN)/python -m pytest -m "not slow" $(PYTEST_ARGS)
	@echo "Left out: the slow tests, which 'make test-slow' runs."

test-slow: $(STAMP) ## run the slow tests
	@$(BIN)/python -m pytest -m slow $(PYTEST_ARGS)

test-all: test test-slow ## run all tests

lint: $(STAMP) ## ruff, formatting, spelling
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/codespell

types: $(STAMP) ## mypy, strict
	@$(BIN)/mypy

format: $(STAMP) ## format the code, and fix what ruff can fix
	@$(BIN)/ruff check --fix-only
	@$(BIN)/ruff format

# Compiled lines are invisible to coverage, so this pass runs the kernels as plain Python, on fewer tests.
coverage: $(STAMP) ## line and branch coverage of the uncompiled code
	@$(BIN)/python -m coverage erase
	@NUMBA_DISABLE_JIT=1 $(BIN)/python -m coverage run -m pytest -m "not slow and not compiled_only" $(PYTEST_ARGS)
	@$(BIN)/python -m coverage combine -q
	@$(BIN)/python -m coverage report --fail-under=$(COVERAGE_MIN)

clients: $(STAMP) ## run trainers of others, each in an environment of its own (CLIENTS="tianshou")
	@$(BIN)/python examples/trainers/run.py $(CLIENTS)

bench: $(STAMP) ## run every benchmark (BENCH_ARGS=--quick for a check of a few seconds each)
	@set -e; for script in benchmarks/bench_*.py benchmarks/civ_*.py benchmarks/skirmish_*.py; do \
		echo "# $$script"; $(BIN)/python "$$script" $(BENCH_ARGS); \
	done

clean: ## remove caches and builds; the virtual environment stays
	rm -rf build dist htmlcov .coverage .coverage.* .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find axiom_gym envs training tests benchmarks -name __pycache__ -prune -exec rm -rf {} +

# - --no-compile: Python compiles what it imports when it imports it; all of torch in advance takes half a minute.
# - Without ensurepip (Debian ships Python without it), the pip beside $(PYTHON) puts one in.
# - The build backend is installed first and then used as it is: an isolated build would fetch it at every change of
#   pyproject.toml, and so a new game could not be registered without a network.
# - $(UNFINISHED) stands from before the first file to after the last, so an installation that was cut off is known and
#   started afresh. Where pip gives up by itself the environment is whole, and stays. Renamed, not touched, at the end:
#   a change of pyproject.toml meanwhile is newer than the stamp.
$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "Axiom Gym needs Python 3.11 or newer; '$(PYTHON)' is older, or not there." \
			"Name another one: make PYTHON=python3.11 $(MAKECMDGOALS)" >&2; \
		exit 1; }
	@if [ -e $(UNFINISHED) ]; then \
		echo "The last installation into $(VENV) was cut off; starting afresh."; rm -rf $(VENV); \
	fi
	@echo "Installing Axiom Gym into $(VENV). The first time takes a few minutes."
	@mkdir -p $(VENV) && touch $(UNFINISHED)
	@$(PYTHON) -m venv $(VENV) >/dev/null 2>&1 || { \
		$(PYTHON) -m venv --without-pip $(VENV) && $(PYTHON) -m pip --python $(BIN)/python install -qq pip; }
	@trap 'exit 130' INT TERM; \
	$(PIP_INSTALL) hatchling && $(PIP_INSTALL) --no-build-isolation --editable ".[all]" || { \
		status=$$?; [ $$status -gt 2 ] || rm -f $(UNFINISHED); exit $$status; }
	@mv $(UNFINISHED) $(STAMP)
