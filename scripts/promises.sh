#!/usr/bin/env bash
# The table of promises in docs/OPERATIONS.md: each of P1 to P26 has one row, and every test named there exists.
#
#   scripts/promises.sh                check it
#   scripts/promises.sh --names        the names of the tests in it
#   scripts/promises.sh --record LOG   write what a log of `cargo test` says of them into the last column
source "$(dirname "$0")/common.sh"

page=docs/OPERATIONS.md
rows() { grep -E '^\| P[0-9]+ \|' "$page"; }
# path::name, one a line.
# shellcheck disable=SC2016 # the backticks are those of Markdown
tests() { rows | grep -oE '`[A-Za-z0-9_/.-]+\.rs::[a-z0-9_]+`' | tr -d '`' | sort -u; }

check() {
  local expected found wrong=0 path name
  expected=$(seq -f 'P%.0f' 1 26)
  found=$(rows | sed -E 's/^\| (P[0-9]+) \|.*/\1/')
  [ "$expected" = "$found" ] || fail 1 promises "$page: expected one row for each of P1 to P26 in order, found: $(echo "$found" | tr '\n' ' ')"
  while IFS= read -r row; do
    grep -q '\.rs::' <<<"$row" || { say promises "no test in: $row"; wrong=1; }
  done < <(rows)
  while IFS= read -r test; do
    path=${test%%::*} name=${test##*::}
    if ! grep -qE "fn $name\(" "$path" 2>/dev/null; then say promises "there is no $test, which $page names"; wrong=1; fi
  done < <(tests)
  [ "$wrong" = 0 ] || exit 1
  say promises "26 promises, $(tests | wc -l) tests"
}

record() {
  local log=$1 today
  [ -r "$log" ] || fail 2 promises "$log cannot be read; give the log of a cargo test"
  today=$(date +%F)
  awk -v today="$today" '
    NR == FNR {
      # libtest: "test path::name ... ok", with what the test printed perhaps in between.
      if ($0 ~ /^test [A-Za-z0-9_:]+( - should panic)? \.\.\./) { name = $2; sub(/.*::/, "", name) }
      if (name != "" && match($0, /(^| )(ok|FAILED)$/)) { result[name] = $NF; name = "" }
      next
    }
    /^\| P[0-9]+ \|/ {
      verdict = ""; rest = $0
      while (match(rest, /::[a-z0-9_]+`/)) {
        test = substr(rest, RSTART + 2, RLENGTH - 3); rest = substr(rest, RSTART + RLENGTH)
        one = (test in result) ? result[test] : "not run"
        if (verdict == "" || verdict == "ok" || one == "FAILED") verdict = one
      }
      # Where not all of them ran, what was known before stays.
      if (verdict != "not run") sub(/\| [^|]* \|$/, "| " verdict ", " today " |")
    }
    { print }' "$log" "$page" >"$page.new"
  mv "$page.new" "$page"
  say promises "results are in $page: $(rows | grep -c "| ok, $today") of 26 are ok"
}

case "${1:-}" in
  '') check ;;
  --names) tests | sed 's/.*:://' ;;
  --record) record "${2:-}" ;;
  *) fail 2 promises "what is $1? give nothing, --names, or --record LOG" ;;
esac
