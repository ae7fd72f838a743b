#!/usr/bin/env bash
# Installs what the tests need and runs them all, with the time of each stage.
set -euo pipefail
cd "$(dirname "$0")/.."

last=
began=0
# Names the next stage and says how long the one before took; the last stage ends with its runner's own lines.
stage() {
  if [ -n "$last" ]; then printf '== %s took %d s\n' "$last" $((SECONDS - began)); fi
  last=$1 began=$SECONDS
  printf '\n== %s\n' "$last"
  "$@"
}

packages() {
  local missing=()
  command -v chromium >/dev/null || missing+=(chromium)
  fc-list :lang=zh 2>/dev/null | grep -q . || missing+=(fonts-noto-cjk)
  if [ ${#missing[@]} -eq 0 ]; then return; fi
  if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" fontconfig >/dev/null
  else
    printf 'The browser tests need these packages: %s\n' "${missing[*]}" >&2
    return 1
  fi
}

web() {
  cd web
  npm ci --no-audit --no-fund --prefer-offline
  npm run check
  npm run build
  npm test
  cd ..
}

format() { cargo fmt --all --check; }
lint() { cargo clippy --workspace --all-targets --release --locked -- -D warnings; }

rust() {
  if cargo nextest --version >/dev/null 2>&1; then
    cargo nextest run --workspace --release --locked --no-fail-fast
  else
    cargo test --workspace --release --locked --no-fail-fast
  fi
}

browser() {
  cargo build --release --locked
  (cd web && XINQI_BIN="$PWD/../target/release/xinqi" npm run e2e)
}

export WEB_REQUIRED=1
stage packages
stage web
stage format
stage lint
stage browser
stage rust
