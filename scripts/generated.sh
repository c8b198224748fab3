#!/usr/bin/env bash
# The checked-in protobuf code is what the generator makes of proto/: `--check` compares, no argument writes it anew.
#
# Built with the whole workspace's features and then started by hand: `cargo run -p` would compile the gRPC crates again
# with the features of one crate.
source "$(dirname "$0")/common.sh"

scripts/env.sh cargo build --release --locked --workspace --example generate
CARGO_MANIFEST_DIR=$PWD/common/wire "$(target_dir)/release/examples/generate" "$@" \
  || fail 1 generated "the generated code differs from proto/ (or could not be made); type: make generate"
