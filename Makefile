# SPDX-License-Identifier: Apache-2.0
# Every target sets up what it needs by itself (scripts/setup, idempotent). `make help` lists them.
# Variables: PREFIX (install), JOBS, TESTS (a ctest -R pattern for `make test`), SETUP=: (skip scripts/setup).

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := build
# Recipes call cmake and ninja, which take their own jobs; a jobserver here would only confuse them.
MAKEFLAGS += --no-print-directory

PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
SETUP ?= scripts/setup
TESTS ?= .
RELEASE := build/release
TEST_BUILD := build/test
KILN := $(RELEASE)/kiln

.PHONY: help setup setup-tests setup-bench setup-fuzz build demo test test-dev bench lint install soak fuzz conformance clean

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

setup: ## install what building needs
	@$(SETUP)

setup-bench:
	@$(SETUP) --bench

setup-fuzz:
	@$(SETUP) --tests --fuzz

setup-tests: ## install what the tests need too, and build the toolchain set `current`
	@$(SETUP) --tests

build: setup ## the tool and its workers: build/release/kiln
	@mkdir -p build
	@cmake --preset release -DKILN_TESTS=OFF $(CMAKE_FLAGS) > build/release.log 2>&1 || { cat build/release.log; exit 1; }
	@cmake --build $(RELEASE) --parallel $(JOBS)

demo: build ## build the tool, then the shaders of examples/gallery for eight targets, and show the result
	@examples/gallery/demo $(KILN)

test: setup-tests ## build everything and run all tests
	@cmake --preset test $(CMAKE_FLAGS)
	@cmake --build $(TEST_BUILD) --parallel $(JOBS)
	@cd $(TEST_BUILD) && ctest --output-on-failure --parallel $(JOBS) -R '$(TESTS)' -LE conformance

test-dev: setup-tests ## the same under AddressSanitizer and UndefinedBehaviorSanitizer
	@cmake --preset dev $(CMAKE_FLAGS)
	@cmake --build build/dev --parallel $(JOBS)
	@cd build/dev && ctest --output-on-failure --parallel $(JOBS) -R '$(TESTS)' -LE conformance

bench: setup-tests setup-bench build ## measure; prints a table and writes build/bench/results.json
	@bench/run $(KILN)

lint: ## clang-format and clang-tidy on what differs from LINT_BASE (default: the last commit's parent)
	@scripts/lint $(LINT_BASE)

install: build ## into PREFIX (default /usr/local); DESTDIR is obeyed
	@cmake --install $(RELEASE) --prefix $(PREFIX)

soak: setup-tests ## the tests that need patience: kill -9 at 1,000 instants, flipped bytes, parallel builds
	@cmake --preset test $(CMAKE_FLAGS)
	@cmake --build $(TEST_BUILD) --parallel $(JOBS)
	@$(TEST_BUILD)/tests/soak/kiln_soak --count 1000 --workers $(TEST_BUILD)
	@cd $(TEST_BUILD) && KILN_SOAK=1 ctest --output-on-failure -L soak

fuzz: setup-fuzz ## fuzz every reader for FUZZ_SECONDS each (default 60)
	@scripts/fuzz $(FUZZ_SECONDS)

conformance: setup-tests ## all rows of the WGSL conformance data, executed too; DATA=folder for another folder of that form
	@cmake --preset test $(CMAKE_FLAGS)
	@cmake --build $(TEST_BUILD) --parallel $(JOBS)
	@[[ -z "$${DATA:-}" ]] || export DATA="$$(realpath "$$DATA")"; \
	  cd $(TEST_BUILD) && ctest --output-on-failure -L conformance
	@echo "the table is in $(TEST_BUILD)/conformance.md"
	@[[ -n "$${DATA:-}" ]] || cp $(TEST_BUILD)/conformance.md docs/conformance.md

clean: ## remove build/
	@rm -rf build
