# The bench's agent: `agent.sh JOURNAL SECONDS`. Journals its own start and end, as the processes that slots are for.
set -- "$1" "$2" $WAVETRAIN_TASK_TITLE
journal=$1 seconds=$2 id=$4 path=$5
note() { printf '%s %s %s %s\n' "$1" "$id" "$path" "$(date +%s%N)" >> "$journal"; }
note started
sleep "$seconds"
mkdir -p "${path%/*}"
echo "$id" >> "$path"
note ended
