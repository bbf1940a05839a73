PYTHON ?= python3
BIN := .venv/bin
COMPILE = $(BIN)/python -m tools.dev.compiling

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help run test check format compile uncompile protos client released errors crash fleet fuzz lockstep views mutate load soak bench versions web dist lock clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: .venv/.installed ## Start the server on 127.0.0.1:50051 over ./shiji.db; Ctrl-C stops it
	@$(BIN)/python -m tools.dev.run

test: .venv/.installed-test ## Run everything that must pass, or PARTS of it, with the time of each part
	@$(BIN)/python -m tools.dev.parts $(PARTS)

check: .venv/.installed-test ## Lint, formatting, types, layers, generated code, pages; runs no test
	@$(BIN)/python -m tools.dev.parts lint types

format: .venv/.installed-test ## Format the code and fix what can be fixed safely
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

compile: .venv/.installed-compile ## Compile Qin's rules beside their sources, if they have changed
	@$(COMPILE)

uncompile: ## Remove what was compiled: Python runs the sources, and sees every change
	rm -rf .venv/.compiled .venv/.not-compiled .venv/compiled-next shiji__mypyc.*.so
	find rules records -name '*.so' -delete

protos: .venv/.installed-test ## Generate the code of protos/ anew
	$(BIN)/python -m tools.dev.protos

client: .venv/.installed-test ## Generate the blocking client from the one for asyncio
	$(BIN)/python -m tools.dev.sync_client

released: .venv/.installed-test ## Take protos/ as released: later changes must not break it
	$(BIN)/buf build protos --exclude-source-info --output protos/released.binpb

errors: .venv/.installed-test ## Write docs/errors.md from the reasons of the service
	$(BIN)/python -m tools.dev.errors_page

# Long runs. Each ends by itself, prints its figures in the last line and exits with 1 when a bound is broken.

crash: KILLS ?= 1000
crash: .venv/.installed-test ## Kill servers, cut their power, break their files, KILLS=1000 times; nothing is lost
	@$(COMPILE)
	@SHIJI_KILLS=$(KILLS) $(BIN)/python -m tools.dev.long_run crash \
	    tests/service/test_power_cuts.py tests/records/log/test_crash.py

fleet: export FLEET_KILLS = $(or $(KILLS),3)
fleet: .venv/.installed-test ## Kill servers, the sequencer and the primary of a PostgreSQL archive, KILLS=3 times; nothing is lost
	@$(COMPILE)
	@$(BIN)/python -m tools.dev.fleet

fuzz: export FUZZ_SECONDS ?= 600
fuzz: export FUZZ_SEED ?= 1
fuzz: .venv/.installed-test ## Go on for FUZZ_SECONDS=600 with a million changed calls and 100,000 files of each kind, of FUZZ_SEED=1
	@$(COMPILE)
	@$(BIN)/python -m tests.fuzz.campaign

lockstep: MATCHES ?= 1000
lockstep: FIRST ?= 0
lockstep: .venv/.installed-test ## Rules beside the naive model over MATCHES=1000 random matches from seed FIRST=0 on, of GAME=qin, khan, zhanguo or great-wall, or all
	@$(COMPILE)
	@SHIJI_FIRST=$(FIRST) SHIJI_LOCKSTEP=$(MATCHES) $(BIN)/python -m tools.dev.long_run lockstep tests/rules/test_lockstep.py -k "$(GAME)"

views: PAIRS ?= 100000
views: FIRST ?= 0
views: .venv/.installed-test ## Try to tell PAIRS=100000 worlds apart that differ only in hidden cards; FIRST=0 goes on from there
	@$(COMPILE)
	@SHIJI_DIRECTLY=1 SHIJI_FIRST=$(FIRST) SHIJI_PAIRS=$(PAIRS) $(BIN)/python -m tools.dev.long_run views tests/service/test_noninterference.py -n 2

mutate: MUTANTS ?= 100000
mutate: FLIPS ?= 10000
mutate: FIRST ?= 0
mutate: .venv/.installed-test ## Judge MUTANTS=100000 mutants per game, or of one GAME, from number FIRST=0 on, and FLIPS=10000 bit flips of an archive
	@$(COMPILE)
	@SHIJI_FIRST=$(FIRST) SHIJI_MUTANTS=$(MUTANTS) SHIJI_FLIPS=$(FLIPS) $(BIN)/python -m tools.dev.long_run mutate \
		tests/tools/test_mutants.py $(if $(GAME),-k $(GAME),tests/records/audit/test_bit_flips.py) -n 2

load: .venv/.installed-test ## Send the heaviest request of each method many times while another owner plays; LOAD_SECONDS=2 per flood
	@$(COMPILE)
	@$(BIN)/python -m tools.dev.load

soak: .venv/.installed-test ## Play against a server for minutes, kill it, audit; SHIJI_SOAK=3600 for an hour
	@$(COMPILE)
	$(BIN)/python -m tools.dev.soak

bench: .venv/.installed-bench ## Measure speed, beside other libraries where there are any
	@$(COMPILE)
	$(BIN)/python -m tools.dev.bench

versions: .venv/.installed-test ## Run the tests on VERSIONS="3.11 3.12 3.13"; MISSING=ok skips those not installed
	@$(BIN)/python -m tools.dev.versions $(if $(filter ok,$(MISSING)),--missing-ok) $(VERSIONS)

web: .venv/.installed-test ## Make what judges records in browsers, from npm and PyPI, for pages and the wheel of shiji-judge
	@$(BIN)/python -m tools.dev.web

dist: .venv/.installed-test ## Build the wheels of shiji, shiji-client and shiji-judge into dist/
	@$(BIN)/python -m tools.dev.dist

lock: ## Choose the newest versions that constraints.txt can pin
	@scratch=$$(mktemp -d) && trap 'rm -rf "$$scratch"' EXIT && \
	$(PYTHON) -m venv "$$scratch" && \
	"$$scratch/bin/pip" install --quiet uv && \
	"$$scratch/bin/uv" pip compile pyproject.toml --quiet --upgrade --universal --python-version 3.11 \
	    --extra test --extra bench --extra tracing --extra compile --extra postgres --extra dask --no-emit-package pip --no-emit-package shiji-client --no-emit-package shiji-judge \
	    --custom-compile-command "make lock" --output-file constraints.txt

clean: uncompile ## Remove what make and the tools made; shiji.db stays
	rm -rf packaging/judge/shiji_judge packaging/judge/.cache .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache dist examples/node/node_modules
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.PHONY: supported
supported:
	@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(None if v >= (3, 11) else \
	    f"Shiji needs Python 3.11 or newer and {sys.executable} is {v[0]}.{v[1]}: try make PYTHON=python3.11 $(MAKECMDGOALS)")'

.venv/.installed-compile: EXTRAS := compile
# The benchmark is linted and typed like everything else, so what it compares with must be there.
.venv/.installed-test: EXTRAS := test bench tracing compile
.venv/.installed-bench: EXTRAS := bench compile

.venv/.installed .venv/.installed-compile .venv/.installed-test .venv/.installed-bench: pyproject.toml packaging/client/pyproject.toml packaging/judge/pyproject.toml constraints.txt | supported
	@$(PYTHON) tools/dev/install.py $(EXTRAS)
	@touch $@
