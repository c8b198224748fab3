#!/usr/bin/env bash
# Refuse a dependency whose licence would bind those who use toads: each must be usable under permissive terms alone.
#
# Reads every crate of every platform, build and test tools included, from `cargo tree`; evaluates its SPDX expression.
# RocksDB's C++ comes inside librocksdb-sys and is GPL-2.0 or Apache-2.0; we take it under Apache-2.0.
source "$(dirname "$0")/common.sh"

# To allow another licence, add it here with the reason in the commit. Copyleft ((A)GPL, LGPL, MPL) does not go in.
allowed="MIT MIT-0 Apache-2.0 BSD-2-Clause BSD-3-Clause 0BSD ISC Zlib BSL-1.0 CC0-1.0 Unlicense Unicode-3.0"

crates=$(cargo tree --workspace --locked --target all --edges normal,build,dev --prefix none --format '{p}|{l}' \
  | sed 's/ (\*)$//; /^$/d' | sort -u)

awk -F'|' -v allowed="$allowed" '
  # expression := term { OR term };  term := factor { AND factor };  factor := "(" expression ")" | licence [WITH exception]
  function expression(   ok) { ok = term(); while (token[at] == "OR") { at++; ok = term() + ok > 0 } return ok }
  function term(   ok) { ok = factor(); while (token[at] == "AND") { at++; ok = factor() * ok } return ok }
  function factor(   ok) {
    if (token[at] == "(") { at++; ok = expression(); if (token[at] != ")") broken = 1; at++; return ok }
    ok = (token[at] in permitted); at++
    if (token[at] == "WITH") at += 2 # an exception only ever allows more
    return ok
  }
  BEGIN { n = split(allowed, list, " "); for (i = 1; i <= n; i++) permitted[list[i]] = 1 }
  {
    text = $2
    gsub(/\//, " OR ", text); gsub(/[()]/, " & ", text) # "MIT/Apache-2.0" is the old way to write OR
    delete token; count = split(text, token, " "); at = 1; broken = 0
    fine = count > 0 && expression()
    if (!fine || broken || at != count + 1) { printf "licences: refused: %s: %s\n", $1, $2 == "" ? "no licence named" : $2; bad++ }
  }
  END {
    if (bad) { printf "licences: %d of %d crates refused; replace them or argue in scripts/licences.sh\n", bad, NR; exit 1 }
    if (NR < 2) { print "licences: cargo tree named no crates"; exit 1 }
    printf "licences: %d crates, all usable under permissive terms\n", NR
  }' <<<"$crates"
