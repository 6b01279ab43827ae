import { claimRules } from "../../domain/claim/claim-rules.ts";
import { isSharedPath } from "../../domain/claim/scope.ts";
import type { ScoreRule } from "../../domain/exploration.ts";
import type { Sha } from "../../domain/ids.ts";
import { REFUSAL } from "../../domain/network/network.ts";
import type { RepoContext } from "../../ports/deps.ts";
import type { CommandEnd } from "../../ports/processes.ts";
import { runInCleanRoom } from "../../workspace/clean-room.ts";
import type { CleanRoomDeps } from "../../workspace/clean-room.ts";

/** This line separates what the score command prints from what setup printed before it. */
const SCORE_MARK = "wavetrain: score";

export interface ScoreQuestion {
  readonly context: RepoContext;
  readonly score: ScoreRule;
  readonly commit: Sha;
  /** What the score is made with is taken from this commit. */
  readonly judge: Sha;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export type ScoreAnswer =
  | { readonly kind: "scored"; readonly score: number }
  /** It failed, or printed no number. */
  | { readonly kind: "not-scored"; readonly end: CommandEnd; readonly tail: string };

/**
 * Scores a commit where nobody ever worked. The files that belong to the score are those of the base, so no change can edit its
 * judge.
 */
export async function scoreCommit(
  { context, score, commit, judge, timeoutMs, signal }: ScoreQuestion,
  deps: CleanRoomDeps,
): Promise<ScoreAnswer> {
  const { repo, config } = context;
  const judged = await withJudge({ repo, commit, judge, files: score.files }, deps);
  const command = `echo "${SCORE_MARK}"\n${score.run}`;
  const limit = scoreTimeout(context, score, timeoutMs);
  const execution = { step: "score", command, timeoutMs: limit } as const;
  const clean = { repo, commit: judged, config, name: `score-${commit.slice(0, 16)}` };
  const isKept = judgesFiles(score.files);
  const { end, tail } = await runInCleanRoom({ ...clean, execution, isKept, signal }, deps);
  const found = end.kind === "exited" && end.code === 0 ? scoreIn(tail) : undefined;
  if (found !== undefined) return { kind: "scored", score: found };
  return { kind: "not-scored", end, tail: saidIn(tail) };
}

/** The command may take so long, of the time that is left for everything. */
export function scoreTimeout(
  { config: { timeouts } }: Pick<RepoContext, "config">,
  { timeoutMs }: Pick<ScoreRule, "timeoutMs">,
  leftMs: number,
): number {
  return Math.min(leftMs, timeoutMs ?? timeouts.verify);
}

/** Reads the number on the last line. */
export function scoreIn(log: string): number | undefined {
  const said = saidIn(log).split("\n");
  // Refusals of the network may be printed at any moment, even after the command's last line.
  const last =
    said.findLast((line) => line.trim() !== "" && !line.startsWith(REFUSAL))?.trim() ?? "";
  const found = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(last) ? Number(last) : NaN;
  return Number.isFinite(found) ? found : undefined;
}

/** Leaves out what setup printed, and our own mark. */
function saidIn(log: string): string {
  const at = log.lastIndexOf(SCORE_MARK);
  return at === -1 ? log : log.slice(at + SCORE_MARK.length).trimStart();
}

interface Judged extends Pick<ScoreQuestion, "commit" | "judge"> {
  readonly repo: RepoContext["repo"];
  readonly files: ScoreRule["files"];
}

function withJudge(
  { repo, commit, judge, files }: Judged,
  { git }: Pick<CleanRoomDeps, "git">,
): Promise<Sha> {
  if (files.length === 0 || commit === judge) return Promise.resolve(commit);
  const isJudges = judgesFiles(files);
  // Attributes say how git writes files out: a change could alter the judge's by a rule of its own.
  const matches = (path: string): boolean => isJudges(path) || isAttributes(path);
  return git.withFilesOf(repo, { commit, from: judge, matches });
}

/** Tells which paths belong to the score. */
function judgesFiles(files: Judged["files"]): (path: string) => boolean {
  const rules = claimRules({ shared: files });
  return (path) => isSharedPath(path, rules);
}

function isAttributes(path: string): boolean {
  return path === ".gitattributes" || path.endsWith("/.gitattributes");
}

/** Finds a pattern of the score's files that protects nothing, because the commit has no such file. */
export async function vainPattern(
  { repo, commit, files }: Pick<Judged, "repo" | "commit" | "files">,
  { git }: Pick<CleanRoomDeps, "git">,
): Promise<string | undefined> {
  for (const pattern of files) {
    const matches = judgesFiles([pattern]);
    const found = await git.filesIn(repo, commit, { matches, maxFiles: 0, maxBytes: 0 });
    if (found.kind === "read") return pattern;
  }
  return undefined;
}
