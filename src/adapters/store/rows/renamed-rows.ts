import type { RepoRenamed } from "../../../domain/change.ts";
import type { TaskSpec } from "../../../domain/task.ts";
import { digest } from "../../../shared/digest.ts";
import { canonicalJson } from "./columns.ts";
import type { Tables } from "./tables.ts";

/**
 * Says what a column has of the repository's name. `repo` is the name itself. `id` may begin with it, as `owner/name#12` and
 * `owner/name@main` do. `key` may have it after its first word, as `comment:owner/name#12` has. `spec` and `spec-hash` are those of a
 * task. Ids of runs and entries are only names: they stay, and so does everything on disk that is called after them.
 */
export type NamePart = "none" | "repo" | "id" | "key" | "spec" | "spec-hash";

/** Every column of every table is here: the compiler asks for those of the rows, and a test for those of the schema. */
export const NAME_PARTS: {
  readonly [T in keyof Tables]: Readonly<Record<keyof Tables[T], NamePart>>;
} = {
  tasks: {
    ...all("issue", "cardId", "state", "reason", "wave", "attempts", "failures", "notBefore"),
    ...all("branch", "pull", "landedSha", "readySince", "changedAt", "acceptedBy", "acceptedText"),
    ...all("acceptedAt", "disregarded", "strayedAt", "rework"),
    id: "id",
    repo: "repo",
    spec: "spec",
    specHash: "spec-hash",
  },
  runs: {
    ...all("id", "attempt", "contender", "retry", "runner", "host", "branch", "state", "workspace"),
    ...all("baseSha", "logPath", "queuedAt", "startedAt", "agentEndedAt", "finishedAt", "session"),
    ...all("heartbeatAt", "outcome", "outcomeKind", "usage", "rework", "definition"),
    repo: "repo",
    task: "id",
    specHash: "spec-hash",
  },
  explorations: {
    ...all("attempt", "runner", "base", "state", "plan", "levels", "stop", "end"),
    ...all("openedAt", "changedAt"),
    id: "id",
    repo: "repo",
    task: "id",
    specHash: "spec-hash",
  },
  entries: {
    ...all("id", "base", "pull", "head", "approvedBy", "state", "reason", "batch", "place"),
    ...all("candidate", "evidence", "notBefore", "refusedUnder", "landedSha", "enqueuedAt"),
    ...all("changedAt"),
    repo: "repo",
    task: "id",
  },
  intents: { ...all("kind", "detail", "openedAt"), id: "key", repo: "repo", subject: "id" },
  trains: {
    ...all("base", "state", "reason", "by", "cause", "haltedAt", "tail", "logPath", "size"),
    ...all("suspects", "verdicts", "redsFrom", "changedAt"),
    id: "id",
    repo: "repo",
  },
  verdicts: {
    ...all("id", "tree", "commandHash", "command", "verdict", "tail", "logPath", "startedAt", "at"),
    repo: "repo",
  },
  runnerLifts: { ...all("id", "runner", "by", "at"), repo: "repo" },
  claims: { ...all("run", "claims", "fence", "takenAt"), id: "id", repo: "repo" },
  fences: { ...all("fence"), id: "repo" },
  commands: {
    ...all("id", "issue", "givenBy", "said", "detail", "result", "answer", "effects", "comment"),
    ...all("at", "doneAt"),
    repo: "repo",
  },
  // The signals that nobody has seen go along; their owner is the new one.
  signals: {
    ...all("deliveryId", "event", "action", "owner", "subject", "actor", "receivedAt", "seenAt"),
    repo: "repo",
  },
  publications: { ...all("remoteId", "digest"), key: "key" },
  // The log stays as it was written; only the note by which compaction finds a task's events follows the task.
  events: { ...all("seq", "at", "repo", "subject", "change", "foldedFrom", "hash"), task: "id" },
  leases: all("name", "holder", "fence", "expiresAt"),
  repoNames: all("id", "repo", "until"),
};

function all<Name extends string>(...names: readonly Name[]): Record<Name, "none"> {
  return Object.fromEntries(names.map((name) => [name, "none"])) as Record<Name, "none">;
}

type Renaming = Pick<RepoRenamed, "from" | "to">;

/** Renames whatever begins with the old name and is not just the beginning of a longer one. */
export function renamedId(id: string, { from, to }: Renaming): string {
  if (!id.startsWith(from)) return id;
  const rest = id.slice(from.length);
  return rest === "" || /^[#@:]/.test(rest) ? `${to}${rest}` : id;
}

/** A key is a word, a colon and an id. */
export function renamedKey(key: string, renaming: Renaming): string {
  const colon = key.indexOf(":") + 1;
  return key.slice(0, colon) + renamedId(key.slice(colon), renaming);
}

interface SpecColumns {
  readonly spec: string;
  readonly specHash: string;
}

/** The hash follows the spec, so that nobody takes the new names for an edit of the issue. */
export function renamedSpec({ spec, specHash }: SpecColumns, renaming: Renaming): SpecColumns {
  const old = JSON.parse(spec) as TaskSpec;
  const fresh = { ...old, ...renamedLinks(old, renaming) };
  const isSame = canonicalJson(fresh) === canonicalJson(old);
  if (isSame) return { spec, specHash };
  const followed = digest(old) === specHash ? digest(fresh) : specHash;
  return { spec: canonicalJson(fresh), specHash: followed };
}

function renamedLinks(spec: TaskSpec, renaming: Renaming): object {
  const { dependsOn, parent, objective } = spec;
  return {
    dependsOn: dependsOn.map((id) => renamedId(id, renaming)),
    ...(parent !== undefined && { parent: renamedId(parent, renaming) }),
    ...(objective !== undefined && { objective: renamedId(objective, renaming) }),
  };
}
