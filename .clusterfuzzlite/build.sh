#!/usr/bin/env bash
# Builds the fuzz targets as OSS-Fuzz and ClusterFuzzLite want them: programs, seeds, dictionary and options in $OUT. Outside of their
# image too, for instance `OUT=/tmp/out .clusterfuzzlite/build.sh`; SANITIZER is then none, which the stable toolchain builds.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../fuzz/common.sh"
: "${OUT:?where the programs go}"

mkdir -p "$OUT"
programs=$(build "$CARGO_TARGET_DIR")
for target in $(targets); do
  cp "$programs/$target" "$OUT/$target"
  cp fuzz/rpc.dict "$OUT/$target.dict"
  printf '[libfuzzer]\nmax_len = 1024\ntimeout = 10\nrss_limit_mb = 2048\n' >"$OUT/$target.options"
  inputs=("$(seeds_of "$target")"/*)
  [[ ! -d fuzz/regressions/$target ]] || inputs+=("fuzz/regressions/$target"/*)
  rm -f "$OUT/${target}_seed_corpus.zip"
  python3 -m zipfile -c "$OUT/${target}_seed_corpus.zip" "${inputs[@]}"
done
