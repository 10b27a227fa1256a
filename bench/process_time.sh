#!/usr/bin/env bash
# Wall time of `mti simulate` as a whole process beside an empty process, run in turn; medians.
# Usage: bench/process_time.sh [MTI] [RUNS], after cmake --preset bench && cmake --build --preset bench.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
mti=${1:-$root/build/bench/program/mti}
runs=${2:-41}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# Milliseconds that a command takes.
milliseconds() {
  local start=$EPOCHREALTIME
  "$@" >"$out/printed"
  local end=$EPOCHREALTIME
  echo "$(((${end/./} - ${start/./}))) " | awk '{printf "%.3f\n", $1 / 1000}'
}
median() { sort -n "$1" | awk '{value[NR] = $1} END {print value[int((NR + 1) / 2)]}'; }

simulate=("$mti" simulate "$root/examples/three_tank/model.json" --no-report --quiet --out "$out/results")
for ((i = 0; i < runs; ++i)); do
  milliseconds "${simulate[@]}" >>"$out/simulate"
  milliseconds /bin/true >>"$out/empty"
done
printf 'mti simulate   %8.2f ms\nempty process  %8.2f ms\n' "$(median "$out/simulate")" "$(median "$out/empty")"
