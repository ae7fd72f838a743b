# make run    everything needed, then the server on http://127.0.0.1:8080
# make test   installs what the tests need, runs them all
# make check  the quick loop
# make peers  compares the rules with independent programs (long; installs them in .venv)

.PHONY: run test check peers web

run: web
	cargo run --release --locked

test:
	scripts/test.sh

check:
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --release --locked -- -D warnings
	cd web && npm ci --no-audit --no-fund --prefer-offline && npm run check && npm test

peers:
	scripts/peers.sh

web:
	cd web && npm ci --no-audit --no-fund --prefer-offline && npm run build
