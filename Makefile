# make run   a working server with sample documents on http://127.0.0.1:8080/mcp
# make test  every check and every test
# make test-all  the same with everything drawn anew, from the day as the seed, which a failure can be repeated with
# make check  the same without the suites that passed before with the same inputs, on this machine, in any clone
# make durations  every test once more; the minutes of each folder and the longest tests, as a table in build/durations.md
# make coverage  every test once more, and the lines that none of them reaches
# make reference  the pages of docs/ that are generated from the code: commands, settings, limits, errors, REST routes; and the clients in samples/clients
# make pictures  the pictures of the page in docs/operate/screens, and in four forms in build/screens, taken of the demo in Chromium
# make bench the figures and their goals in one table: a search of 10,000 and 100,000 segments, the protocol, dialects, a second start
# make bench-all those with 1,000,000 segments, the deployed functions, the index alone, ingestion; hours, 20 GB of disk
# make histories  the recorded histories that show the seeded leaks, drawn anew; after a change of the machines that draw
# make clients every MCP client and agent library that people use, each in an environment of its own, against a server; tables of what they did and what models were fed
# make pins  the clients whose pins are behind the newest release, each asked of pip or npm; changes nothing
# make image  the context of the server's image, with the wheel, compose and Kubernetes files, in build/image
# make image-trial  the same image without Docker: its Dockerfile carried out in a Debian root file system, then served read-only; needs root and mmdebstrap
# make base-digest  the base images by their digests, resolved with Docker, into both Dockerfiles
# make release  after that: functions, image context, checkout, wheels, lists of packages and checksums, in build/release; needs Docker
# make check-release  the files of a release as somebody who has downloaded them: checksums, and each wheel in an empty environment
# make wheels  the wheel that people install, and those of its packages that are useful alone, of the commit, in build/wheels
# make attach, make download  the release of the tag TAG on GitHub with these files, and its wheels from there
# make publish  after that: the wheels to the index at PUBLISH_URL, by the identity of the workflow that runs it
# PYTHON=python3.13  PORT=8080  GROUNDWIRE_HOME=./.groundwire  WORKERS=3  choose interpreter, port, data folder, test processes

PYTHON ?= python3
PORT ?= 8080
export GROUNDWIRE_HOME ?= .groundwire
BIN := .venv/bin
# One more than two cores: tests wait for queues and starting programs about a fifth of their time.
WORKERS ?= 3

.DEFAULT_GOAL := help
.PHONY: help run test test-all histories check lint types imports tests unproven-tests durations coverage reference pictures bench bench-all clients pins image-trial clean

help:
	@sed -n 's/^# \(make .*\)/\1/p' Makefile

run: .venv/installed
	@$(BIN)/groundwire demo --port $(PORT)

test: lint imports
	@$(MAKE) --no-print-directory -j 2 types tests

test-all: export TESTS_DRAW = all
test-all: export TESTS_SEED ?= $(shell date +%Y%m%d)
test-all: test

check: lint imports
	@$(MAKE) --no-print-directory -j 2 types unproven-tests

lint: .venv/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/installed-dev
	$(BIN)/pyright --project pyproject.toml

imports: .venv/installed-dev
	$(BIN)/lint-imports

# The model is built before all: several tests take it as built, whichever comes first. Which lines no test reaches is
# asked for by itself, as the tracing of every line takes as long again as the tests.
PYTEST = $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder $(TESTS_SEED:%=--hypothesis-seed=%)

# Where the environment forbids it, each process would compile all tests again.
tests unproven-tests durations coverage: export PYTHONDONTWRITEBYTECODE =

tests: .venv/installed-dev
	$(BIN)/groundwire model build
	$(PYTEST) --durations=20

# Proofs are outside of the clone, and `make test` neither reads nor writes them.
unproven-tests: .venv/installed-dev
	$(BIN)/groundwire model build
	$(PYTEST) -p tests.support.plugins.proofs.plugin --durations=5

durations: .venv/installed-dev
	$(BIN)/groundwire model build
	$(PYTEST) --junit-xml build/durations.xml
	$(BIN)/python -m tests.support.plugins.durations build/durations.xml build/durations.md

coverage: .venv/installed-dev
	$(BIN)/groundwire model build
	$(PYTEST) --cov --cov-report=term

# Errors only: what goes well is a line of ours, and pip's own word for a network that is away is "no matching version".
PIP = $(BIN)/python -m pip install --disable-pip-version-check --quiet --quiet
NOT_INSTALLED = { echo "The packages could not be installed. If pip found no version of one, check the network and pip's index settings (pip config list); then run the command again." >&2; exit 1; }

.venv/bin/python:
	@$(PYTHON) -c 'import sys; ok = (3, 11) <= sys.version_info < (3, 15); sys.exit(None if ok else "Groundwire needs Python 3.11 to 3.14, this is %d.%d: make PYTHON=python3.13 run" % sys.version_info[:2])'
	$(PYTHON) -m venv .venv

.venv/installed: requirements.lock pyproject.toml | .venv/bin/python
	@echo "Installing the packages of requirements.lock into .venv (the first time about a minute) …"
	@$(PIP) --require-hashes -r requirements.lock || $(NOT_INSTALLED)
	@$(PIP) --no-build-isolation --no-deps -e . || $(NOT_INSTALLED)
	@touch $@

.venv/installed-dev: requirements-dev.lock .venv/installed
	@echo "Installing the packages of requirements-dev.lock into .venv …"
	@$(PIP) --require-hashes -r requirements-dev.lock || $(NOT_INSTALLED)
	@touch $@

reference: .venv/installed-dev
	$(BIN)/python -m tests.support.documentation.reference
	$(BIN)/python -m tools.rest_clients

pictures: .venv/installed-dev
	$(BIN)/python -m tests.support.documentation.screens.take build/screens docs/operate/screens

bench: .venv/installed-dev
	$(BIN)/python -m bench.figures --scale 100000

bench-all: .venv/installed-dev
	$(BIN)/python -m bench.figures --scale 100000 1000000
	$(BIN)/python -m bench.artifacts
	$(BIN)/python -m bench.index_search
	$(BIN)/python -m bench.ingestion
	$(BIN)/python -m bench.parser_seconds
	$(BIN)/python -m bench.scale --segments 10000 --home build/bench/10000
	$(BIN)/python -m bench.two_processes --home build/bench/100000

histories: .venv/installed-dev
	RECORD_HISTORIES=1 $(PYTEST) tests/isolation/test_seeded_leaks.py tests/isolation/test_browsing.py tests/isolation/test_wider.py tests/isolation/test_decisions.py

clients: .venv/installed-dev
	$(BIN)/python -m tests.e2e.clients

pins: .venv/installed-dev
	$(BIN)/python -m tests.e2e.clients.pins

# In a mount namespace of its own, so that nothing stays mounted.
image-trial: image
	unshare --mount $(BIN)/python -m tests.e2e.image build/image build/image-root

clean:
	rm -rf .venv .venv-* .aws-sam build .cache .coverage*

-include locks.mk release.mk
