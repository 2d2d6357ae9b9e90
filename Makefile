# Two commands are enough: `make play` starts a game, `make test` runs every check and test.
# A fresh machine needs Python 3.11 or newer and make; everything else goes into .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := PIP_CONSTRAINT=constraints.txt PIP_DISABLE_PIP_VERSION_CHECK=1 $(BIN)/python -m pip install --quiet
# What is compiled imports from all over the package; where nothing of it has changed, warming takes a second.
COMPILED := $(shell find src/qwixx -name '*.py')
PAGE := $(shell find page src/qwixx/rulebook src/qwixx/lessons src/qwixx/analysis/training src/qwixx/analysis/words.toml -type f -not -path '*/node_modules/*' -not -name '*.wasm' -not -name '*.pyc' 2>/dev/null) hatch_build.py
BY_FILE := --dist loadfile --no-loadscope-reorder
RULES := $(shell $(PYTHON) src/qwixx/browser/sources.py 2>/dev/null)

.DEFAULT_GOAL := help
ifndef TOGETHER
.NOTPARALLEL:
endif
.PHONY: help play site test quick lint check docs golden pictures bench browser database dist pins clean

help: ## list what can be made
	@sed -n 's/^\([a-z]*\):.*## /  make \1 \t/p' $(MAKEFILE_LIST) | expand -t 16

play: $(VENV)/.installed ## start the game in the browser
	@$(BIN)/qwixx serve

site: $(VENV)/.installed ## write the page as a folder for any static host into build/page
	@$(BIN)/qwixx site -o build/page --pads

# Checking and compiling each keep one core busy for a minute or two, so they go together. Tests of the page wait for
# clocks and browsers half of the time: three workers keep two cores busy. A file is one worker's, and tests/conftest.py
# has the long ones begin.
test: $(VENV)/.dev browser database ## check, then run every test
	@$(MAKE) --no-print-directory --jobs=2 TOGETHER=1 check $(VENV)/.warm
	@$(BIN)/python -m pytest -q -n 3 $(BY_FILE)

# Once everything is compiled this takes under a minute: types from mypy's cache, no browser, nothing marked slow.
quick: lint $(VENV)/.warm ## for daily work: format, lint, types and the fast tests, in under a minute
	@$(BIN)/python -m pytest -q -n 2 $(BY_FILE) -m 'not slow and not browser'

lint: $(VENV)/.dev
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/ruff check --quiet .
	@$(BIN)/mypy

check: lint ## format, lint and types, the page's too
	@cd page && ../$(BIN)/node node_modules/svelte-check/bin/svelte-check --tsconfig ./tsconfig.json \
	  --fail-on-warnings --output human

docs: $(VENV)/.dev ## build the docs site into build/site
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo 'The docs site is in build/site; open build/site/index.html.'

golden: $(VENV)/.dev $(VENV)/.warm ## write the playthroughs and the rule coverage anew; read the diff
	@cd tests && ../$(BIN)/python golden_make.py

pictures: $(VENV)/.dev browser ## take the pictures of the page anew: for README, for previews of links
	@cd tests && ../$(BIN)/python pictures_make.py

bench: $(VENV)/.dev $(VENV)/.warm ## measure the speed; write bench/results.md and docs/performance.md
	@$(BIN)/python bench/run.py
	@$(BIN)/python docs/tools/numbers_of_docs.py

# The wheel is built from the source distribution, so that both are known to be whole.
dist: $(VENV)/.dev ## build what goes to the registry into dist, and check it
	@rm -rf dist
	@$(BIN)/python -m hatchling build -t sdist -d dist >/dev/null
	@$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist dist/*.tar.gz
	@$(BIN)/twine check --strict dist/*
	@! grep -q '"https://[^/]*\.example' pyproject.toml || { \
	  echo 'Not for the registry yet: [project.urls] in pyproject.toml does not say where the project is hosted.'; exit 1; }

# The constraints would hold everything where it is, so this one installs without them.
pins: $(VENV)/.python ## write constraints.txt anew from the newest versions
	@PIP_DISABLE_PIP_VERSION_CHECK=1 $(BIN)/python -m pip install --quiet --upgrade --upgrade-strategy eager \
	  hatchling -e '.[dev]'
	@{ echo '# Exact versions of everything `make` installs; `make pins` writes this file anew.'; \
	  $(BIN)/python -m pip freeze --exclude-editable; } > constraints.tmp
	@mv constraints.tmp constraints.txt
	@touch $(VENV)/.installed $(VENV)/.dev

clean: ## remove the environment and everything that was made
	@rm -rf $(VENV) src/qwixx/web page/node_modules build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# ---- set-up; each stamp says that a step is done, so that second runs start at once

$(VENV)/.python:
	@command -v $(PYTHON) >/dev/null || { echo 'Python 3.11 or newer is needed, and there is no $(PYTHON).'; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Python 3.11 or newer is needed; $(PYTHON) is $$($(PYTHON) -V 2>&1). Try: make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "$(PYTHON) cannot create environments: install its venv package, such as python3-venv."; exit 1; }
	@echo 'Creating the environment in $(VENV) ...'
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear $(VENV)
	@touch $@

# The development tools include the package, so whichever is asked for first is enough.
$(VENV)/.installed: $(VENV)/.python pyproject.toml constraints.txt $(PAGE) $(RULES)
	@echo 'Installing qwixx and building its page ...'
	@$(PIP) -e '.[fast]'
	@touch $@

$(VENV)/.dev: $(VENV)/.python pyproject.toml constraints.txt $(PAGE) $(RULES)
	@echo 'Installing qwixx, its page and the development tools ...'
	@$(PIP) -e '.[dev]'
	@touch $(VENV)/.installed $@

browser: $(VENV)/.dev
	@$(BIN)/python tests/chromium.py

database: $(VENV)/.dev
	@$(BIN)/python tests/postgres.py

$(VENV)/.warm: $(COMPILED) | $(VENV)/.installed
	@$(BIN)/qwixx warm rules
	@$(BIN)/qwixx warm players simulator & players=$$!; $(BIN)/qwixx warm solver environments training && wait $$players
	@touch $@
