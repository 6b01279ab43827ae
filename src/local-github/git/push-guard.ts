import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Carries out what the rules decided: refs in the first list are refused, those in the second may not be
 * rewound. Only git can judge the latter, once it has the pushed commits.
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
`;

export interface Guard {
  readonly refused: readonly string[];
  readonly reason: string;
  readonly noRewind: readonly string[];
}

/** The environment that makes \`git receive-pack\` keep the rules. */
export async function guardEnvironment(
  dataDir: string,
  guard: Guard,
): Promise<Readonly<Record<string, string>>> {
  if (guard.refused.length === 0 && guard.noRewind.length === 0) return {};
  const hooks = join(dataDir, ".hooks");
  const update = join(hooks, "update");
  await mkdir(hooks, { recursive: true });
  await writeFile(update, UPDATE_HOOK);
  await chmod(update, 0o755);
  return {
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "core.hooksPath",
    GIT_CONFIG_VALUE_0: hooks,
    LOCAL_GITHUB_REFUSED: guard.refused.join(" "),
    LOCAL_GITHUB_REASON: guard.reason,
    LOCAL_GITHUB_NO_REWIND: guard.noRewind.join(" "),
  };
}
