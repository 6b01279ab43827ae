import type { Instant, RepoName } from "../domain/ids.ts";
import type { Leftover } from "../ports/leftovers.ts";

export interface CleanupPolicy {
  readonly spares: number;
  readonly keepSetupsFor: number;
  readonly keepLogsFor: number;
  readonly keepRescuesFor: number;
  readonly keepMirrorsFor: number;
}

export interface CleanupSnapshot {
  readonly now: Instant;
  readonly leftovers: readonly Leftover[];
  readonly watched: ReadonlySet<RepoName>;
  /** It holds the names of runs that have not ended. */
  readonly unfinished: ReadonlySet<string>;
  /** Open tasks, neither landed nor given up, keep things under these names; the names of their runs begin with them. */
  readonly openTasks: readonly string[];
  /** No run is under way on this machine. */
  readonly idle: boolean;
  /** The disk has less left than the operator wants. */
  readonly short: boolean;
  readonly policy: CleanupPolicy;
}

export type CleanupAction =
  | { readonly kind: "remove"; readonly leftover: Leftover; readonly reason: string }
  | { readonly kind: "compact"; readonly repo: RepoName; readonly reason: string };

/** Whatever is younger may belong to something that is just beginning or ending. */
const GRACE_MS = 60 * 60_000;
/** A task that was given up may be asked for again: its runner then goes on where it was. */
const HOME_GRACE_MS = 24 * GRACE_MS;
// Git itself packs at 6,700 loose objects and 50 packs; a train makes some dozens of objects for every trial.
const MAX_LOOSE = 2000;
const MAX_PACKS = 20;

/** Decides what to take away, and why. Work that has not landed stays as long as its task is open, and `keepRescuesFor` after that. */
export function decideCleanup(snapshot: CleanupSnapshot): readonly CleanupAction[] {
  const removals = snapshot.leftovers.flatMap((leftover): readonly CleanupAction[] => {
    const reason = reasonToRemove(leftover, snapshot);
    return reason === undefined ? [] : [{ kind: "remove", leftover, reason }];
  });
  const removed = new Set(
    removals.map((action) => (action.kind === "remove" ? action.leftover : undefined)),
  );
  const compactions = snapshot.leftovers.flatMap((leftover): readonly CleanupAction[] => {
    if (leftover.kind !== "mirror" || removed.has(leftover) || !snapshot.idle) return [];
    if (leftover.loose <= MAX_LOOSE && leftover.packs <= MAX_PACKS) return [];
    const reason = `it has ${leftover.loose} loose objects and ${leftover.packs} packs`;
    return [{ kind: "compact", repo: leftover.repo, reason }];
  });
  return [...removals, ...compactions];
}

function reasonToRemove(leftover: Leftover, snapshot: CleanupSnapshot): string | undefined {
  switch (leftover.kind) {
    case "workspace":
      return leftover.open ? undefined : endedReason(leftover, snapshot);
    case "run-folder":
    case "tmp":
      return endedReason(leftover, snapshot);
    case "spare":
      return spareReason(leftover, snapshot);
    case "setup":
      return setupReason(leftover, snapshot);
    case "mirror":
      return mirrorReason(leftover, snapshot);
    case "rescue":
    case "evaluation":
      return rescueReason(leftover, snapshot);
    case "log":
      return logReason(leftover, snapshot);
    case "home":
      return homeReason(leftover, snapshot);
    case "trash":
      return isOlder(leftover, GRACE_MS, snapshot) ? "it was thrown away" : undefined;
  }
}

interface Aged {
  readonly at: Instant;
}

interface Named extends Aged {
  readonly name: string;
}

interface OfRepo extends Aged {
  readonly repo: RepoName;
}

function isOlder(leftover: Aged, ms: number, { now }: CleanupSnapshot): boolean {
  return now - leftover.at >= ms;
}

function endedReason(leftover: Named, snapshot: CleanupSnapshot): string | undefined {
  const ended = isOlder(leftover, GRACE_MS, snapshot) && !isInUse(leftover.name, snapshot);
  return ended ? "its run has ended" : undefined;
}

function setupReason(leftover: Aged, snapshot: CleanupSnapshot): string | undefined {
  const { short, policy } = snapshot;
  if (isOlder(leftover, policy.keepSetupsFor, snapshot)) return "it was not used for long";
  return short && isOlder(leftover, GRACE_MS, snapshot) ? "the disk is nearly full" : undefined;
}

function rescueReason(leftover: Named, snapshot: CleanupSnapshot): string | undefined {
  if (!isOlder(leftover, snapshot.policy.keepRescuesFor, snapshot)) return undefined;
  const wanted = isOfOpenTask(leftover.name, snapshot);
  return wanted ? undefined : "its time is over and its task is closed";
}

function logReason(leftover: Named, snapshot: CleanupSnapshot): string | undefined {
  if (!isOlder(leftover, snapshot.policy.keepLogsFor, snapshot)) return undefined;
  return isInUse(leftover.name, snapshot) ? undefined : "its time is over";
}

function homeReason(leftover: Named, snapshot: CleanupSnapshot): string | undefined {
  if (!isOlder(leftover, HOME_GRACE_MS, snapshot)) return undefined;
  const { name } = leftover;
  const wanted = isInUse(name, snapshot) || isOfOpenTask(name, snapshot);
  return wanted ? undefined : "its task is closed";
}

/** The oldest go; when the disk is nearly full, all go. */
function spareReason(leftover: OfRepo, snapshot: CleanupSnapshot): string | undefined {
  const { short, policy, leftovers } = snapshot;
  if (short) return "the disk is nearly full";
  if (isOlder(leftover, policy.keepMirrorsFor, snapshot)) return "it was not used for long";
  const newer = leftovers.filter(
    (other) => other.kind === "spare" && other.repo === leftover.repo && other.at > leftover.at,
  );
  return newer.length >= policy.spares ? "there are enough others" : undefined;
}

const HELD_BY_MIRROR: ReadonlySet<Leftover["kind"]> = new Set([
  ...(["workspace", "rescue", "evaluation", "spare"] as const),
]);

/** A mirror holds rescued work, and lends its objects to workspaces: it goes when neither is left. */
function mirrorReason(leftover: OfRepo, snapshot: CleanupSnapshot): string | undefined {
  if (snapshot.watched.has(leftover.repo)) return undefined;
  if (!isOlder(leftover, snapshot.policy.keepMirrorsFor, snapshot)) return undefined;
  const needed = snapshot.leftovers.some(
    (other) => HELD_BY_MIRROR.has(other.kind) && "repo" in other && other.repo === leftover.repo,
  );
  return needed ? undefined : "nobody watches its repository";
}

/** The name of a step is the run's with a slash and more behind it; the run's log and its input have the run's name with an ending. */
function isInUse(name: string, { unfinished, leftovers }: CleanupSnapshot): boolean {
  const run = name.replace(/\/.*$|\.(?:log|input)$/, "");
  return (
    unfinished.has(run) ||
    leftovers.some((other) => other.kind === "workspace" && other.open && other.name === run)
  );
}

function isOfOpenTask(name: string, { openTasks }: CleanupSnapshot): boolean {
  return openTasks.some((task) => name === task || name.startsWith(`${task}.`));
}
