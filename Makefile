# make tournament: set up and play; make test: set up and check everything. Needs Python 3.11+.
PYTHON ?= python3
VENV := .venv
EXTRAS ?= dev
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: tournament test lint types pytest clusters docs speed picture agents-table clean

tournament: $(READY)
	rm -rf results/round-robin  # a demonstration: each time from the beginning
	$(BIN)/handfoot tournament --agents all --matches 6000 --seed 1 --anchor greedy --out results/round-robin
	$(BIN)/handfoot report results/round-robin

test: lint types pytest

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

pytest: $(READY)
	$(BIN)/pytest -q -n auto --dist loadgroup

clusters: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,dask,ray,remote]'
	$(BIN)/pytest -q tests/test_engines.py tests/test_shards.py tests/test_runs.py

docs: $(VENV)/.docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

speed: $(READY)
	$(BIN)/handfoot bench greedy --quick

picture: $(READY)
	$(BIN)/python experiments/first_books.py --out docs/first_books.png

agents-table: $(READY)
	$(BIN)/handfoot agents --markdown --write agents/README.md

clean:
	rm -rf $(VENV) build dist site .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed; name one with make PYTHON=...") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$(EXTRAS)]'
	touch $(READY)

$(VENV)/.docs: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$(EXTRAS),docs]'
	touch $(VENV)/.docs
