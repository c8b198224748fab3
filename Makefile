# The commands a person types; CI types the same (.ci/run). What they do stands in scripts/.
.DEFAULT_GOAL := help
.NOTPARALLEL:
SHELL := /bin/bash

# Runs a command with RocksDB and libclang where setup put them; for your own shell: eval "$(scripts/env.sh)"
IN_ENV := scripts/env.sh
RELEASE := --release --locked --workspace

.PHONY: help setup build census test chaos fuzz python lint fmt check-format clippy doc generate check-generated licences check-scripts check-promises check-deploy slurm-trial bench instructions clean

help: ## list the commands
	@echo "toads: a census of the game Toads and Frogs. Start with 'make census'; then 'make test'."
	@echo
	@awk -F':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' Makefile

setup: ## install what the build needs, or say what to type; quick when all is there
	@scripts/setup.sh

build: setup ## build target/release/toads
	$(IN_ENV) cargo build $(RELEASE)

census: build ## the first census: all strips of 1..12 squares, both variants, into out/census.db
	@scripts/census-demo.sh

test: build ## run all tests
	@scripts/test.sh

chaos: build ## run all chaos tests, also the long ones, and write their results into docs/OPERATIONS.md
	@scripts/chaos.sh

fuzz: setup ## a million changed inputs for every reader of foreign bytes; TARGET=NAME, INPUT=FILE: see tests/fuzz/README.md
	@scripts/fuzz.sh

python: build ## test and lint the Python package over datasets that the binary exports, and execute its notebook
	@scripts/python-package.sh

lint: check-format clippy doc check-generated licences check-scripts check-promises check-deploy ## all that CI checks beside the tests

fmt: ## format the Rust code
	cargo fmt --all

check-format: ## is the Rust code formatted?
	cargo fmt --all --check

clippy: setup ## lints; a warning is an error
	$(IN_ENV) cargo clippy $(RELEASE) --all-targets -- -D warnings

doc: setup ## build the documentation of the crates into target/doc; a warning is an error
	RUSTDOCFLAGS="-D warnings" $(IN_ENV) cargo doc $(RELEASE) --no-deps

generate: setup ## write the protobuf code anew from proto/
	@scripts/generated.sh

check-generated: setup ## is the checked-in protobuf code what proto/ says?
	@scripts/generated.sh --check

licences: ## may every dependency be used under permissive terms?
	@scripts/licences.sh

check-promises: ## has every promise of docs/OPERATIONS.md a test that exists?
	@scripts/promises.sh

check-scripts: ## do the shell scripts parse (and please shellcheck, if installed)?
	@scripts/check-scripts.sh

check-deploy: ## do the files of deploy/ render, parse and agree with the source, as far as this machine can tell?
	@scripts/check-deploy.sh

slurm-trial: build ## a census on a Slurm of its own, with workers killed and requeued (needs root, slurm-wlm, munge)
	@scripts/slurm-trial.sh

bench: build ## time the census of 1..14 squares into docs/PERFORMANCE.md
	@scripts/bench.sh

instructions: setup ## count the kernel's instructions, part by part (needs valgrind)
	@scripts/instructions.sh

clean: ## remove target/ and out/; RocksDB stays in its cache (scripts/rocksdb.sh --where)
	cargo clean
	rm -rf out
