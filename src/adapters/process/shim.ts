/**
 * Runs one command in a session of its own and outlives whoever started it: `sh -c SHIM name folder log blocks command…`.
 * Signals are caught, not ignored: what is ignored here would be ignored by the command too. The pid file can be made only once, so
 * one folder never runs two commands. Both files end in a line of their own, which tells a whole one from one that is being written.
 */
export const SHIM = `
dir=$1 log=$2 blocks=$3
shift 3
trap : HUP INT QUIT PIPE ALRM TERM USR1 USR2
IFS= read -r started </proc/$$/stat || started=$(LC_ALL=C ps -o lstart= -p $$)
IFS= read -r boot </proc/sys/kernel/random/boot_id || boot=unknown
set -C
printf '%s\\n%s\\n%s\\n.\\n' "$$" "$started" "$boot" >"$dir/pid" || exit 125
set +C
ulimit -f "$blocks"
"$@" <"$dir/stdin" >>"$log" 2>&1
printf '%s\\n.\\n' "$?" >"$dir/exit"
`;
