# Chardesk. `make run` is all a newcomer needs; `make` alone lists the rest.
# Recipes keep to a POSIX shell (dash too) and to GNU make 3.81, which is what macOS brings.

SHELL = /bin/sh
VENV = .venv
PY = $(VENV)/bin/python
READY = $(VENV)/ready.stamp
TESTABLE = $(VENV)/testable.stamp
NODE_TOOLS = tests/node_modules/.package-lock.json
FONTS = page/fonts
FONTS_TRIED = build/fonts.stamp
FONT_PACKAGES = @fontsource/iosevka@5.3.0 @fontsource/unifontex@5.2.6
FONT_FACES = iosevka-latin-400-normal iosevka-latin-400-italic iosevka-latin-700-normal \
	iosevka-latin-700-italic unifontex-latin-400-normal

# The first Python on the path that is new enough; `make run PYTHON=/path/to/python` overrules it.
PYTHON = $(shell for each in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	if $$each -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then echo $$each; break; fi; done)

# $(call wanted,COMMANDS,PACKAGES): if no command is there, installs the Debian packages where that is possible.
wanted = for each in $(1); do command -v "$$each" >/dev/null 2>&1 && exit 0; done; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; \
	then apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $(2); \
	else echo "Please install $(2): it is missing here and what comes next needs it." >&2; fi

.PHONY: help run demo test shot figures docs wheel fonts clean

help:
	@echo "make run      set up what is missing, start the desk, open the page"
	@echo "make demo     the same, and a scripted agent draws while you watch"
	@echo "make test     every check: lint, types, tests, the page, the docs, a browser"
	@echo "make docs     write the generated files anew"
	@echo "make shot     take the pictures of the page that the docs show"
	@echo "make figures  measure everything, and write docs/figures.md: half an hour"
	@echo "make wheel    build the package into dist/"
	@echo "make fonts    fetch the fonts again"
	@echo "make clean    remove everything made here; desks stay"

run: $(READY) $(FONTS_TRIED)
	@exec $(VENV)/bin/chardesk serve $(ARGS)

demo: $(READY) $(FONTS_TRIED)
	@exec $(PY) -m chardesk.broker.demo $(ARGS)

test: $(TESTABLE) $(NODE_TOOLS) $(FONTS_TRIED)
	@$(call wanted,$(CHARDESK_CHROMIUM) chromium chromium-browser google-chrome,chromium)
	@$(PY) tests/check.py $(ARGS)

shot: $(TESTABLE) $(FONTS_TRIED)
	@$(PY) tests/shot.py $(ARGS)

figures: $(TESTABLE) $(FONTS_TRIED)
	@$(PY) tests/figures.py $(ARGS)

docs: $(READY)
	@$(PY) tests/check.py --write

wheel: $(READY) $(FONTS_TRIED)
	@$(PY) -m pip wheel -q --no-deps --wheel-dir dist .
	@ls dist

# A half-made environment would pass for a whole one at the next try, so it is removed.
$(PY):
	@test -n "$(PYTHON)" || { echo "Chardesk needs Python 3.11 or newer, and none is on the path." >&2; exit 1; }
	@echo "Setting up $(VENV) with $(PYTHON)"
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { $(call wanted,no-venv-module,python3-venv); }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

# Modules are compiled now, since the environment may forbid Python to do it at the first start (0.5 s then).
$(READY): $(PY) pyproject.toml
	@echo "Installing Chardesk"
	@$(PY) -m pip install -q --disable-pip-version-check -e .
	@PYTHONDONTWRITEBYTECODE= $(PY) -m compileall -qq -j 0 $(VENV)/lib broker tools materials || :
	@touch $@

$(TESTABLE): $(READY)
	@echo "Installing what the checks need"
	@$(PY) -m pip install -q --disable-pip-version-check --upgrade "pip>=25.1"
	@$(PY) -m pip install -q --group dev
	@touch $@

$(NODE_TOOLS): tests/package-lock.json
	@$(call wanted,npm,nodejs npm)
	@if command -v npm >/dev/null 2>&1; then npm ci --prefix tests --silent --no-audit --no-fund && touch $@; fi

# Tried once: without npm or network the page and pictures use the system's monospace font.
$(FONTS_TRIED):
	@mkdir -p build/fonts
	@touch $@
	@$(MAKE) -s fonts || :

fonts:
	@mkdir -p build/fonts $(FONTS)
	@if ! command -v npm >/dev/null 2>&1; \
	then echo "No npm here, so no fonts: the page uses the system's monospace. Later: make fonts"; \
	elif ! npm pack --silent --pack-destination build/fonts $(FONT_PACKAGES) >/dev/null 2>&1; \
	then echo "npm could not fetch the fonts: the page uses the system's monospace. Later: make fonts"; \
	else for each in build/fonts/*.tgz; do tar -xzf "$$each" -C build/fonts; \
		for face in $(FONT_FACES); do \
			test ! -f "build/fonts/package/files/$$face.woff2" || mv "build/fonts/package/files/$$face.woff2" $(FONTS)/; done; \
		name=$${each##*/fontsource-}; mv build/fonts/package/LICENSE "$(FONTS)/LICENSE-$${name%%-*}.txt"; \
		rm -rf build/fonts/package "$$each"; done; fi

clean:
	rm -rf $(VENV) build dist $(FONTS) tests/node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find broker tools materials tests -name __pycache__ -type d -prune -exec rm -rf {} +
