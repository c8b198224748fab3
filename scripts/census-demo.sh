#!/usr/bin/env bash
# The first census: every strip of 1..12 squares under both rules, into out/census.db. Starts or continues; needs a build.
source "$(dirname "$0")/common.sh"

toads=$(target_dir)/release/toads
toads=${toads#"$PWD/"}
store=out/census.db
mkdir -p out

for variant in hop hopless; do
  echo "census: every $variant strip of 1..12 squares into $store"
  "$toads" census run --variant "$variant" --squares 1..12 --store "$store"
done
for variant in hop hopless; do
  echo
  echo "$toads query summary --variant $variant --store $store"
  "$toads" query summary --variant "$variant" --store "$store"
done

cat <<TEXT

What to try next:
  # the value of one strip
  $toads value 'T^2 .^3 F^2'
  # the values met most often
  $toads query values --variant hop --store $store
  # the strips of 7 squares worth {1/2|0}
  $toads query strips --value '{1/2|0}' --squares 7 --variant hop --store $store
  # go on to 14 squares; what is there is not computed again
  $toads census run --variant hop --squares 1..14 --store $store
TEXT
