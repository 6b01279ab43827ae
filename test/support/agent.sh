# The tests' runner: says what it was given, and does what the world wrote down for its task (agent-script.ts) in the folder $AGENT_DIR.
# A shell, because it is started hundreds of times in a run of the tests, and Node takes twenty times as long to start.
set -eu
id=$WAVETRAIN_TASK_ID
attempt=$WAVETRAIN_ATTEMPT
contender=${WAVETRAIN_CONTENDER:-}

journal() {
  printf '{"id":"%s","attempt":%s,"contender":%s,"what":"%s","at":"%s"}\n' \
    "$id" "$attempt" "${contender:-1}" "$1" "$(date +%s%3N)" >> "$AGENT_DIR/journal.jsonl"
}

await() {
  waited=0
  until [ -e "$AGENT_DIR/$1" ]; do
    if [ "$waited" -gt 1200 ]; then
      echo "$1 never appeared" >&2
      exit 1
    fi
    waited=$((waited + 1))
    sleep 0.05
  done
}

tee "$AGENT_DIR/$id.prompt" > "$AGENT_DIR/$id.$attempt.prompt"
env > "$AGENT_DIR/$id.env"
journal started
# Others go on from here: what they do next is later than what the journal says.
: > "$AGENT_DIR/$id.started"
status=0
says="worked on $id"
if [ -e "$AGENT_DIR/$id.script" ]; then . "$AGENT_DIR/$id.script"; fi
printf '%s\n' "$says"
journal ended
exit "$status"
