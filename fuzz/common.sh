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

# Builds the targets, or one, in a folder of its own; prints where the programs are.
build() {
  local folder=$1 toolchain=()
  [[ $sanitizer == none ]] || toolchain=(+nightly)
  # The features go with the wrapper: without it references would be watched as what they judge is.
  CARGO_TARGET_DIR="$folder" RUSTC_WRAPPER="$PWD/fuzz/rustc" cargo "${toolchain[@]}" fuzz build -s "$sanitizer" "${@:2}" >&2
  echo "$folder/$(rustc -vV | sed -n 's/^host: //p')/release"
}

# What every run of a target is given.
limits=(-dict=fuzz/rpc.dict -timeout=10 -rss_limit_mb=2048 -max_len=1024)
