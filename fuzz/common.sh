# For the scripts beside it: where things are. Leaves the shell at the root of the repository.

cd "$(dirname "${BASH_SOURCE[0]}")/.."
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target}"
sanitizer="${SANITIZER:-none}"

# Every target but the one to measure against.
targets() {
  sed -n 's/^name = "\(.*\)"$/\1/p' fuzz/Cargo.toml | grep -v -e '^mcpspec-fuzz$' -e '^baseline$'
}

# The folder of inputs that a target begins with: those that read the same text share one.
seeds_of() {
  case $1 in
    baseline | decode_diff | rpc_tree) echo fuzz/seeds/rpc_bytes ;;
    *) echo "fuzz/seeds/$1" ;;
  esac
}

# The same inputs as -seed_inputs takes them, in an order that is the same everywhere.
inputs_of() {
  local inputs=("$(seeds_of "$1")"/*) IFS=,
  echo "${inputs[*]}"
}

# Builds the targets, or one, in a folder of its own; prints where the programs are.
build() {
  local folder=$1 toolchain=()
  [[ $sanitizer == none ]] || toolchain=(+nightly)
  # The features go with the wrapper: without it references would be watched as what they judge is. Comparisons are not traced: inputs
  # are made of the right words by seeds, dictionary and mutators, and tracing takes a quarter of the time.
  CARGO_TARGET_DIR="$folder" RUSTC_WRAPPER="$PWD/fuzz/rustc" cargo "${toolchain[@]}" fuzz build -s "$sanitizer" --no-trace-compares "${@:2}" >&2
  echo "$folder/$(rustc -vV | sed -n 's/^host: //p')/release"
}

# What every run of a target is given.
limits=(-dict=fuzz/rpc.dict -timeout=10 -rss_limit_mb=2048 -max_len=1024)

# Runs a program so that nothing in it goes by time or by chance: a longer run begins with the inputs of a shorter one. Only `arguments` and
# `matcher` work on schemas in threads of their own, which may come in another order.
steadily() {
  local at_fixed_addresses=(setarch -R)
  # Not every container lets a program do without random addresses; then runs are less alike.
  "${at_fixed_addresses[@]}" true 2>/dev/null || at_fixed_addresses=()
  "${at_fixed_addresses[@]}" "$@" -seed=1 -reload=0 -entropic=0 -print_final_stats=1
}
