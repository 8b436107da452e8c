#!/usr/bin/env bash
# Runs every target in turn for some hours: fuzz/overnight.sh HOURS. Corpora are kept in fuzz/corpus, what breaks a law in
# fuzz/artifacts. Ended early, the next call goes on until the first one would have ended. At the end the corpora are
# made small, and a summary is written. SANITIZER=address takes the nightly toolchain. JOBS targets run side by side.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
hours="${1:?usage: fuzz/overnight.sh HOURS}"
turn="${TURN_SECONDS:-300}"
jobs="${JOBS:-1}"

mkdir -p fuzz/corpus fuzz/artifacts
until_file=fuzz/corpus/.until
now=$(date +%s)
if [[ ! -e $until_file ]]; then
  awk -v now="$now" -v hours="$hours" 'BEGIN { printf "%d\n", now + hours * 3600 }' >"$until_file"
  rm -f fuzz/corpus/.log.*
fi
end=$(<"$until_file")
echo "until $(date -d "@$end")" >&2
programs="${PROGRAMS:-$(build "$CARGO_TARGET_DIR")}"

# One turn of a target. A broken law ends the turn and not the night.
run() {
  local target=$1 left=$((end - $(date +%s)))
  ((left > 0)) || return 0
  mkdir -p "fuzz/corpus/$target" "fuzz/artifacts/$target"
  "$programs/$target" "fuzz/corpus/$target" "$(seeds_of "$target")" "${limits[@]}" -print_final_stats=1 \
    -artifact_prefix="fuzz/artifacts/$target/" -max_total_time="$((left < turn ? left : turn))" &>"fuzz/corpus/.last.$target" || true
  grep -e '^stat::number_of_executed_units' -e panicked "fuzz/corpus/.last.$target" >>"fuzz/corpus/.log.$target" || true
}

while (($(date +%s) < end)); do
  for target in $(targets); do
    while (($(jobs -rp | wc -l) >= jobs)); do wait -n; done
    run "$target" &
  done
  wait
done

# Only inputs that reach something of their own stay.
for target in $(targets); do
  [[ -d fuzz/corpus/$target ]] || continue
  rm -rf "fuzz/corpus/.small.$target"
  mkdir "fuzz/corpus/.small.$target"
  if "$programs/$target" -merge=1 "${limits[@]}" "fuzz/corpus/.small.$target" "fuzz/corpus/$target" &>/dev/null; then
    rm -rf "fuzz/corpus/$target"
    mv "fuzz/corpus/.small.$target" "fuzz/corpus/$target"
  fi
done
rm -f "$until_file"

{
  echo "Fuzzed for $hours hours until $(date -d "@$end" -u +%FT%TZ)."
  printf '\n%-14s %14s %8s %9s\n' target inputs corpus artifacts
  for target in $(targets); do
    inputs=$(awk '/^stat::/ { sum += $2 } END { print sum + 0 }' "fuzz/corpus/.log.$target" 2>/dev/null || echo 0)
    printf '%-14s %14s %8s %9s\n' "$target" "$inputs" "$(find "fuzz/corpus/$target" -type f 2>/dev/null | wc -l)" \
      "$(find "fuzz/artifacts/$target" -type f 2>/dev/null | wc -l)"
  done
} | tee fuzz/corpus/summary.txt
[[ -z $(find fuzz/artifacts -type f) ]]
