# `make run` builds and starts a server; `make test` runs everything CI runs. Both install what they need (Debian with rustup).
# Other targets: build, install, deb, image, docs, audit, suites, lint, unit, integration, clean.
SHELL := /bin/bash
DATADIR ?= $(HOME)/.local/share/evenkeel
PORT ?= 3306
SOCKET ?= /tmp/evenkeel.sock
CARGO := cargo
# where cargo puts what it builds, and the binary there
TARGET := $(abspath $(or $(CARGO_TARGET_DIR),target))
BINARY := $(TARGET)/release/evenkeel
# `make install`: DESTDIR is put in front of all of them
prefix ?= /usr/local
bindir ?= $(prefix)/bin
mandir ?= $(prefix)/share/man
docdir ?= $(prefix)/share/doc/evenkeel
unitdir ?= $(prefix)/lib/systemd/system
sysusersdir ?= $(prefix)/lib/sysusers.d
sysconfdir ?= /etc
localstatedir ?= /var
# what README and messages of the server point to; the whole book: `make docs`
USERDOCS := $(wildcard docs/*.md docs/compat/*.md docs/operations/*.md docs/decisions/*.md docs/archive/*.md)
# mold makes linking several times faster; used where it is installed.
export RUSTFLAGS := $(RUSTFLAGS) $(shell command -v mold >/dev/null && echo -C link-arg=-fuse-ld=mold)

.PHONY: tool-cargo run build test unit lint integration deps deps-build install uninstall deb image image-check audit docs suites clean

build: tool-cargo deps-build
	$(CARGO) build --release --bin evenkeel

run: build
	@command -v mysql >/dev/null || command -v mariadb >/dev/null || echo "There is no client here yet: sudo apt-get install mariadb-client (or mysql-client)"
	@echo "Connect with:  mysql -u root -S $(SOCKET)     (or: mariadb -u root -h 127.0.0.1 -P $(PORT))"
	$(BINARY) serve --no-defaults --user=$$(id -un) --datadir=$(DATADIR) --port=$(PORT) --socket=$(SOCKET)

test: deps lint unit integration
	@echo "all tests passed"

lint:
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	python3 scripts/check_house.py

# the second: that the control (docs/instruments.md) has nothing on
unit:
	$(CARGO) test --workspace --no-fail-fast
	$(CARGO) test -p probe --features without-instruments --lib control

integration: build
	scripts/venv.sh
	EVENKEEL=$(or $(EVENKEEL),$(BINARY)) .venv/bin/python -m pytest tests -x -q --timeout=900

tool-cargo:
	@command -v $(CARGO) >/dev/null || { echo "cargo is missing: install Rust from https://rustup.rs (its usual answers will do), open a new shell, then 'make $(or $(firstword $(MAKECMDGOALS)),run)' again"; exit 1; }

deps-build:
	@scripts/deps.sh build

deps:
	@scripts/deps.sh all

# Installs what `make build` has built. Settings that exist are left alone.
install:
	@test -x $(BINARY) || { echo "there is no $(BINARY) yet: 'make build' first (as yourself, not as root)"; exit 1; }
	install -Dm755 $(BINARY) $(DESTDIR)$(bindir)/evenkeel
	install -Dm644 packaging/evenkeel.1 $(DESTDIR)$(mandir)/man1/evenkeel.1
	install -Dm644 packaging/evenkeel.sysusers $(DESTDIR)$(sysusersdir)/evenkeel.conf
	scripts/fill.sh packaging/evenkeel.service.in BINDIR=$(bindir) SYSCONFDIR=$(sysconfdir) DOCDIR=$(docdir) | install -Dm644 /dev/stdin $(DESTDIR)$(unitdir)/evenkeel.service
	test -e $(DESTDIR)$(sysconfdir)/evenkeel/my.cnf || scripts/fill.sh packaging/my.cnf.in LOCALSTATEDIR=$(localstatedir) | install -Dm644 /dev/stdin $(DESTDIR)$(sysconfdir)/evenkeel/my.cnf
	for f in README.md CHANGELOG.md SECURITY.md LICENSE-MIT LICENSE-APACHE NOTICES.md $(USERDOCS); do install -Dm644 $$f $(DESTDIR)$(docdir)/$$f; done

# Settings and data stay.
uninstall:
	rm -f $(DESTDIR)$(bindir)/evenkeel $(DESTDIR)$(mandir)/man1/evenkeel.1 $(DESTDIR)$(sysusersdir)/evenkeel.conf $(DESTDIR)$(unitdir)/evenkeel.service
	rm -rf $(DESTDIR)$(docdir)

# target/debian/evenkeel_VERSION_ARCH.deb
deb: build
	@scripts/deps.sh deb
	scripts/deb.sh $(BINARY)

# A container image out of Debian's packages and the binary: see docs/operations/containers.md
image: build
	@scripts/deps.sh image
	packaging/container/build.sh $(BINARY)

# Starts the image twice on one volume, with scripts of initdb.d; without buildah: packaging/container/check.sh chroot
image-check: image
	packaging/container/check.sh

# Licences, known bad versions and sources of the libraries (deny.toml), and whether NOTICES.md is current.
audit: tool-cargo
	@scripts/deps.sh audit
	cargo deny check licenses bans sources
	scripts/notices.py --check

# The book: target/book/index.html
docs:
	@scripts/deps.sh docs
	docs/tools/options.py
	docs/tools/sysvars.py
	mdbook build docs

# The suites of other projects, which need the network (tests/suites/README.md). SUITE=name runs one, without it they are listed.
suites:
	@tests/suites/run.sh $(SUITE)

clean:
	$(CARGO) clean
