# make tournament: set up and play; make test: set up and check everything. Needs Python 3.11+.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: tournament test lint types pytest speed picture agents-table clean

tournament: $(READY)
	$(BIN)/handfoot compare greedy random_legal --matches 20000 --seed 1 --out results/greedy-random_legal
	$(BIN)/handfoot compare greedy greedy+random_legal --matches 20000 --seed 1 --out results/greedy-mixed

test: lint types pytest

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

pytest: $(READY)
	$(BIN)/pytest -q -n auto --dist loadgroup

speed: $(READY)
	$(BIN)/handfoot bench greedy --quick

picture: $(READY)
	$(BIN)/python experiments/first_books.py --out docs/first_books.png

agents-table: $(READY)
	$(BIN)/handfoot agents --markdown --write agents/README.md

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed; name one with make PYTHON=...") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $(READY)
