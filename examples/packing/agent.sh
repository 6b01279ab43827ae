#!/bin/sh
# Stands in for a coding agent: it does what the line `change:` of an idea says, and nothing else.
set -eu
change=$(sed -n 's/^change: //p' "$WAVETRAIN_IDEA_FILE")
name=${change%%=*}
value=${change#*=}
if grep -q "^const $name = \"$value\";" pack.mjs; then
  echo "$name is $value already"
  exit 0
fi
sed "s/^const $name = .*/const $name = \"$value\";/" pack.mjs > pack.mjs.new
mv pack.mjs.new pack.mjs
echo "set $name to $value"
