# Two commands on a machine that has only Python (3.11 or newer) and make.
PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python

.PHONY: demo test docs clean

$(VENV)/installed: pyproject.toml setup.cfg
	$(PYTHON) -m venv $(VENV)
	$(RUN) -m pip install --quiet --upgrade pip
	$(RUN) -m pip install --quiet --editable ".[test]"
	touch $@

# The controls run beside the search, so that two cores are used; their tables follow its own.
demo: $(VENV)/installed
	@(for method in accept_all frozen; do \
	    $(VENV)/bin/rsi-envs run medium-sweepmine --method $$method || exit 1; \
	done > $(VENV)/controls.txt) & \
	$(VENV)/bin/rsi-envs run medium-sweepmine --method progsearch && wait $$! \
	    && cat $(VENV)/controls.txt

test: $(VENV)/installed
	$(RUN) -m pytest -n 2 -m "not slow"

docs: $(VENV)/installed
	$(RUN) -m docs.build

clean:
	rm -rf $(VENV)
