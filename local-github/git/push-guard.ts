import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Carries out the decision on a push: refs in the first list are refused, those in the second may not be rewound, and
 * workflow files may not differ from those of the named branch, whoever changed them: a branch that is only behind differs too.
 * Only git can judge the latter two, once it has the pushed commits.
 */
const UPDATE_HOOK = `#!/bin/sh
refuse() {
  echo "error: GH013: Repository rule violations found for $1." >&2
  echo "$2" >&2
  exit 1
}
case " $LOCAL_GITHUB_REFUSED " in *" $1 "*) refuse "$1" "$LOCAL_GITHUB_REASON" ;; esac
case " $LOCAL_GITHUB_NO_REWIND " in *" $1 "*)
  git merge-base --is-ancestor "$2" "$3" || refuse "$1" "- Cannot force-push to this branch" ;;
esac
case "$LOCAL_GITHUB_WORKFLOWS_OF:$3" in refs/*:*[1-9a-f]*)
  known=$(git rev-parse --quiet --verify "$LOCAL_GITHUB_WORKFLOWS_OF" || git hash-object -t tree /dev/null)
  workflow=$(git diff --name-only --no-renames "$known" "$3" -- .github/workflows | head -n 1)
  if [ -n "$workflow" ]; then
    echo "refusing to allow a GitHub App to create or update workflow \\\`$workflow\\\` without \\\`workflows\\\` permission" >&2
    exit 1
  fi ;;
esac
`;

/** Refuses pointers of Git LFS whose objects were not uploaded. A pointer is told by its text alone, whatever attributes say. */
const PRE_RECEIVE_HOOK = `#!/bin/sh
export LC_ALL=C
IFS='
'
tips=$(while IFS=' ' read -r before after name; do case "$after" in *[1-9a-f]*) echo "$after" ;; esac; done)
[ -n "$tips" ] || exit 0
unknown=""
for oid in $(git rev-list --objects --filter=blob:limit=1024 $tips --not --all |
  git cat-file --batch='%(objectname) %(rest)' |
  sed -n '/^version https:\\/\\/git-lfs.github.com\\/spec\\/v1$/{n;s/^oid sha256:\\([0-9a-f]\\{64\\}\\)$/\\1/p;}'); do
  tail=\${oid#????}
  head=\${oid%"$tail"}
  found=""
  for place in $LOCAL_GITHUB_LFS; do
    [ -f "$place/lfs/objects/\${head%??}/\${head#??}/$oid" ] && found=yes
  done
  [ -n "$found" ] || unknown="$unknown
$oid"
done
[ -n "$unknown" ] || exit 0
set -- $unknown
s=s
[ $# -eq 1 ] && s=""
echo "error: GH008: Your push referenced at least $# unknown Git LFS object$s:" >&2
printf '    %s\\n' "$@" >&2
echo "Try to push them with 'git lfs push --all'." >&2
exit 1
`;

export interface Guard {
  readonly refused: readonly string[];
  readonly reason: string;
  readonly noRewind: readonly string[];
  /** This is the ref whose workflow files every pushed commit must have; undefined means that it may have any. */
  readonly workflowsOf: string | undefined;
  /** The objects of Git LFS are in these folders. */
  readonly lfsPlaces: readonly string[];
}

/** Installs the hooks once for each repository. The environment of each push then says what they refuse. */
export async function installPushGuard(dir: string): Promise<void> {
  const hooks = join(dir, "hooks");
  await mkdir(hooks, { recursive: true });
  await writeFile(join(hooks, "update"), UPDATE_HOOK, { mode: 0o755 });
  await writeFile(join(hooks, "pre-receive"), PRE_RECEIVE_HOOK, { mode: 0o755 });
}

export function guardEnvironment(guard: Guard): Readonly<Record<string, string>> {
  return {
    LOCAL_GITHUB_REFUSED: guard.refused.join(" "),
    LOCAL_GITHUB_REASON: guard.reason,
    LOCAL_GITHUB_NO_REWIND: guard.noRewind.join(" "),
    LOCAL_GITHUB_WORKFLOWS_OF: guard.workflowsOf ?? "",
    LOCAL_GITHUB_LFS: guard.lfsPlaces.join("\n"),
  };
}
