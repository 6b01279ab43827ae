import type { RepoConfig } from "../config/schema/repo-config.ts";
import type { ColumnRole, RepoReading } from "../domain/board.ts";
import { repoOf, taskIdOf } from "../domain/ids.ts";
import type { TaskId } from "../domain/ids.ts";
import type { Move } from "../domain/provenance.ts";
import type { ReadCard } from "../domain/read-card.ts";
import type { Deps } from "../ports/deps.ts";
import { COMMENT_MARKER } from "../report/render/render-comment.ts";

const AT_WORK: ReadonlySet<ColumnRole | undefined> = new Set(["running", "review", "queued"]);

/** Tells whether the card is where the app puts it while it works on its task. People may put their own work there, too. */
export function isAtWork(role: ColumnRole | undefined): boolean {
  return AT_WORK.has(role);
}

interface Known {
  readonly reading: RepoReading;
  readonly config: RepoConfig;
  /** The store knows these tasks. */
  readonly recorded: ReadonlySet<TaskId>;
}

/** Some cards are at work by a record that is lost. Those that we put there are taken as if they were made ready. */
export async function adoptOrphans(
  cards: readonly ReadCard[],
  { reading, config, recorded }: Known,
  deps: Pick<Deps, "github" | "lostStore">,
): Promise<readonly ReadCard[]> {
  const adopted: TaskId[] = [];
  const seen: ReadCard[] = [];
  for (const read of cards) {
    const id = taskIdOf(read.card.issue.repo, read.card.issue.number);
    const isUnknown = isAtWork(read.card.role) && read.card.issue.state === "open";
    if (!isUnknown || recorded.has(id) || !(await isOurs(read, config, deps))) seen.push(read);
    else {
      adopted.push(id);
      seen.push(orphanOf(read, reading));
    }
  }
  const evidence = `it does not know ${adopted.join(", ")}, which GitHub shows at work`;
  if (adopted.length > 0) await deps.lostStore.note(evidence);
  return seen;
}

function orphanOf(read: ReadCard, { pulls }: RepoReading): ReadCard {
  const { card } = read;
  const branch = `wavetrain/${card.issue.number}`;
  const pull = pulls.find((one) => one.branch === branch && one.state === "open");
  const orphan = { pull: pull?.number, branch };
  return { ...read, card: { ...card, role: "ready" }, orphan };
}

/** GitHub is asked once for each card in its column: cards of people who work on an issue themselves are remembered here. */
const strangers = new WeakMap<Deps["github"], Set<string>>();

async function isOurs(
  { card }: ReadCard,
  config: RepoConfig,
  { github }: Pick<Deps, "github">,
): Promise<boolean> {
  const known = strangers.get(github) ?? new Set<string>();
  strangers.set(github, known);
  const key = `${card.id}@${card.movedAt}`;
  if (known.has(key)) return false;
  const { repo, number } = card.issue;
  const comment = await github.findComment(repo, number, COMMENT_MARKER);
  const isOurs =
    comment !== undefined || (await wasMovedByUs(taskIdOf(repo, number), config, github));
  if (!isOurs) known.add(key);
  return isOurs;
}

/** A card is moved before its comment is written. Records leave out what the app did: where they end at Ready, the rest was done by us. */
async function wasMovedByUs(
  id: TaskId,
  config: RepoConfig,
  github: Deps["github"],
): Promise<boolean> {
  const record = (await github.provenance(repoOf(id), config, [id])).get(id);
  const isMove = ({ to }: Move): boolean => to !== "closed" && to !== "reopened";
  return record?.moves.findLast(isMove)?.to === "ready";
}
