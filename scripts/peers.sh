#!/usr/bin/env bash
# Compares the rules with independent programs, which are only run, never linked.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --release --locked
if [ ! -x .venv/bin/python ]; then
  python3 -m venv .venv
  .venv/bin/pip install -q pyffish==0.0.90 chess==1.11.2 cshogi==1.1.0 python-shogi==1.1.1 sgfmill==1.1.1 open_spiel==2.0.2
fi
for peer in tests/peers/*.py; do
  printf '== %s\n' "$peer"
  XINQI_BIN=target/release/xinqi .venv/bin/python "$peer"
done
