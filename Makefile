# Names only. The work is in scripts/ (what has to run before Rust is there)
# and in `cargo xtask` (the rest). Every name installs what it needs first.

RUST = @scripts/with-rust.sh

.PHONY: help demo demo-fleet test bench bench-blockio lint advisories hooks docs wheel install cluster uninstall generate fuzz web-app clean-room

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /make \1\t/p' Makefile

demo: ## build diya, record a real MPI program, and show what it did
	@scripts/setup.sh build mpi page
	@scripts/build.sh
	$(RUST) cargo xtask demo

demo-fleet: ## make a fleet of 20,000 logs, ingest it, ask three questions, write its page
	@scripts/setup.sh build page
	@scripts/build.sh
	$(RUST) cargo xtask demo-fleet

test: ## run every test
	@scripts/setup.sh build python capture page web
	@scripts/build.sh
	$(RUST) scripts/test.sh

bench: ## measure recording, reading and querying, against bare runs and PyDarshan
	@scripts/setup.sh build python capture page web
	$(RUST) scripts/bench.sh

bench-blockio: ## measure blockio beside MPI-IO, HDF5 and PnetCDF, and the stages of Code P
	@scripts/setup.sh build capture
	$(RUST) scripts/blockio-bench.sh

lint: ## formatting, compiler and clippy warnings, generated files, tidy
	@scripts/setup.sh build lint
	$(RUST) scripts/lint.sh

advisories: ## ask for known vulnerabilities of what diya depends on (needs the network)
	@scripts/setup.sh build lint
	$(RUST) scripts/advisories.sh

hooks: ## check what a commit changes, and its message, before each commit
	@scripts/setup.sh build lint
	@scripts/hooks/install.sh

docs: ## write the generated pages, and the API pages below target/doc
	@scripts/setup.sh build
	$(RUST) cargo xtask generate
	$(RUST) cargo doc --workspace --no-deps

wheel: ## build the Python package, with the command line in it
	@scripts/setup.sh build python page
	$(RUST) scripts/wheel.sh

install: ## build the fast diya and put it on your PATH (PREFIX=/usr/local for everybody's)
	@scripts/setup.sh build page
	$(RUST) scripts/install.sh

cluster: ## build the optimised diya-cluster for `diya fleet cluster`, beside diya (PREFIX as for install)
	@scripts/setup.sh build
	$(RUST) scripts/cluster.sh install

uninstall: ## remove what install copied (the same PREFIX)
	@scripts/uninstall.sh

generate: ## write the files that follow from schema/
	@scripts/setup.sh build
	$(RUST) cargo xtask generate

fuzz: ## feed the readers random bytes for a minute each (SECONDS_EACH=60)
	@scripts/setup.sh build fuzz
	$(RUST) scripts/fuzz.sh

web-app: ## build the static page that opens a dropped log in the browser (10 minutes the first time)
	@scripts/setup.sh build page web
	$(RUST) cargo xtask web-app

clean-room: ## run TARGET=test (or demo, ...) in a minimal Debian, as root (SUITE=trixie COLD=1)
	@scripts/clean-room.sh make $(or $(TARGET),test)
