# `make run` builds and starts a server; `make test` runs everything CI runs. Both install what they need (Debian with rustup).
SHELL := /bin/bash
DATADIR ?= $(HOME)/.local/share/evenkeel
PORT ?= 3306
SOCKET ?= /tmp/evenkeel.sock
CARGO := cargo
# mold makes linking several times faster; used where it is installed.
export RUSTFLAGS := $(RUSTFLAGS) $(shell command -v mold >/dev/null && echo -C link-arg=-fuse-ld=mold)

.PHONY: tool-cargo run build test test-fast unit lint integration deps fuzz clean

build: tool-cargo deps-build
	$(CARGO) build --release --bin evenkeel

run: build
	@command -v mysql >/dev/null || command -v mariadb >/dev/null || echo "There is no client here yet: sudo apt-get install mariadb-client (or mysql-client)"
	@echo "Connect with:  mysql -u root -S $(SOCKET)     (or: mariadb -u root -h 127.0.0.1 -P $(PORT))"
	./target/release/evenkeel serve --no-defaults --user=$$(id -un) --datadir=$(DATADIR) --port=$(PORT) --socket=$(SOCKET)

test: deps lint unit integration
	@echo "all tests passed"

lint:
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	python3 scripts/check_house.py

unit:
	$(CARGO) test --workspace --no-fail-fast

integration: build
	scripts/venv.sh
	.venv/bin/python -m pytest tests -x -q --timeout=900

tool-cargo:
	@command -v $(CARGO) >/dev/null || { echo "cargo is missing: install Rust from https://rustup.rs (its usual answers will do), open a new shell, then 'make $(or $(firstword $(MAKECMDGOALS)),run)' again"; exit 1; }

deps-build:
	@scripts/deps.sh build

deps:
	@scripts/deps.sh all

clean:
	$(CARGO) clean
