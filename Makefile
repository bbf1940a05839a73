PYTHON ?= python3
BIN := .venv/bin

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help run test check format protos released errors bench soak lock clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: .venv/.installed ## Start the server on 127.0.0.1:50051 over ./shiji.db; Ctrl-C stops it
	@echo "Shiji is installed in .venv; starting the server."
	@$(BIN)/shiji serve

test: check ## Run everything that must pass
	@$(BIN)/python -m tools.dev.browser
	$(BIN)/python -m pytest -n auto --dist loadgroup

check: .venv/.installed-test ## Lint, formatting, types, layers, protos, pages; runs no test
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy --cache-dir=/dev/null
	$(BIN)/lint-imports --no-cache
	$(BIN)/buf lint protos
	$(BIN)/buf breaking protos --against protos/released.binpb
	$(BIN)/python -m tools.dev.protos --check
	$(BIN)/python -m tools.dev.errors_page --check

format: .venv/.installed-test ## Format the code and fix what can be fixed safely
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

protos: .venv/.installed-test ## Generate the code of protos/ anew
	$(BIN)/python -m tools.dev.protos

released: .venv/.installed-test ## Take protos/ as released: later changes must not break it
	$(BIN)/buf build protos --exclude-source-info --output protos/released.binpb

errors: .venv/.installed-test ## Write docs/errors.md from the reasons of the service
	$(BIN)/python -m tools.dev.errors_page

bench: .venv/.installed-bench ## Measure speed, beside other libraries where there are any
	$(BIN)/python -m tools.dev.bench

soak: .venv/.installed-test ## Play against a server for minutes, kill it, audit; SHIJI_SOAK=3600 for an hour
	$(BIN)/python -m tools.dev.soak

lock: ## Choose the newest versions that constraints.txt can pin
	@scratch=$$(mktemp -d) && trap 'rm -rf "$$scratch"' EXIT && \
	$(PYTHON) -m venv "$$scratch" && \
	"$$scratch/bin/pip" install --quiet uv && \
	"$$scratch/bin/uv" pip compile pyproject.toml --quiet --upgrade --universal --python-version 3.11 \
	    --extra test --extra bench --extra tracing --no-emit-package pip \
	    --custom-compile-command "make lock" --output-file constraints.txt

clean: ## Remove what make and the tools made; shiji.db stays
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache dist examples/node/node_modules
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/bin/python:
	@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(None if v >= (3, 11) else \
	    f"Shiji needs Python 3.11 or newer and {sys.executable} is {v[0]}.{v[1]}: try make PYTHON=python3.11 $(MAKECMDGOALS)")'
	$(PYTHON) -m venv .venv

.venv/.installed: EXTRAS :=
# The benchmark is linted and typed like everything else, so what it compares with must be there.
.venv/.installed-test: EXTRAS := [test,bench,tracing]
.venv/.installed-bench: EXTRAS := [bench]

.venv/.installed .venv/.installed-test .venv/.installed-bench: pyproject.toml constraints.txt | .venv/bin/python
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.$(EXTRAS)'
	@touch $@
