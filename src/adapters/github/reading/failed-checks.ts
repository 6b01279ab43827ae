import { sha } from "../../../domain/ids.ts";
import type { RepoName } from "../../../domain/ids.ts";
import type {
  CheckEvidence,
  CheckRemark,
  FailedCheck,
  FailedStep,
} from "../../../domain/pull-review.ts";
import type { CheckPlace, RequiredCheck } from "../../../ports/github.ts";
import { ownerAndRepo } from "../connection/connection.ts";
import type { Octokit } from "../connection/connection.ts";
import { failedSteps } from "./job-log.ts";

/** The app's own check has this name (see `publish-check.ts`). */
const OWN_CHECK = "wavetrain";

const BAD: ReadonlySet<string | null> = new Set(["failure", "timed_out"]);

const ACTIONS = "github-actions";

const MAX_REMARKS = 20;

/** Reads all checks and statuses that failed on the commit, but for the app's own. */
export async function readFailedChecks(
  client: Octokit,
  { repo, head }: Pick<CheckPlace, "repo" | "head">,
): Promise<readonly FailedCheck[]> {
  const ref = { ...ownerAndRepo(repo), ref: sha(head), per_page: 100 } as const;
  const latest = { ...ref, filter: "latest" } as const;
  const runs = await client.paginate(client.rest.checks.listForRef, latest);
  const failed = runs.filter(({ name, conclusion }) => name !== OWN_CHECK && BAD.has(conclusion));
  const { data } = await client.rest.repos.getCombinedStatusForRef(ref);
  const bad = data.statuses.filter(({ state }) => state === "failure" || state === "error");
  return [
    ...failed.map(({ id, name, output, app, completed_at: ended }) => ({
      id,
      name,
      text: [output.title, output.summary, output.text].filter(Boolean).join("\n\n"),
      remarkCount: output.annotations_count,
      isJob: app?.slug === ACTIONS,
      at: Date.parse(ended ?? ""),
    })),
    ...bad.map(({ id, context, description, updated_at: at }) => ({
      id,
      name: context,
      text: description ?? "",
      remarkCount: 0,
      isJob: false,
      at: Date.parse(at),
    })),
  ];
}

/** Where the base branch requires checks of others, only those count. Elsewhere all checks count. */
export function thatCount(
  failed: readonly FailedCheck[],
  required: readonly RequiredCheck[],
): readonly FailedCheck[] {
  const names = new Set(required.flatMap(({ name }) => (name === OWN_CHECK ? [] : name)));
  return failed.filter(({ name }) => names.size === 0 || names.has(name));
}

interface Reader {
  readonly client: Octokit;
  readonly repo: RepoName;
  /** The installation has the permission `actions: read`. */
  readonly mayReadActions: boolean;
}

export async function readEvidence(check: FailedCheck, reader: Reader): Promise<CheckEvidence> {
  return { remarks: await readRemarks(check, reader), steps: await readSteps(check, reader) };
}

const RANKS = ["failure", "warning", "notice"];

/** Returns the gravest first. */
async function readRemarks(
  { id, remarkCount }: FailedCheck,
  { client, repo }: Reader,
): Promise<readonly CheckRemark[]> {
  if (remarkCount === 0) return [];
  const asked = { ...ownerAndRepo(repo), check_run_id: id, per_page: 100 };
  const { data } = await client.rest.checks.listAnnotations(asked);
  const remarks = data.map((one): CheckRemark => ({
    path: one.path,
    line: one.start_line,
    level: one.annotation_level ?? "notice",
    text: [one.title, one.message].filter(Boolean).join(": "),
  }));
  return remarks
    .toSorted((one, other) => RANKS.indexOf(one.level) - RANKS.indexOf(other.level))
    .slice(0, MAX_REMARKS);
}

/** The check run of a job has the job's id. */
async function readSteps(
  { id, isJob }: FailedCheck,
  { client, repo, mayReadActions }: Reader,
): Promise<readonly FailedStep[]> {
  if (!mayReadActions || !isJob) return [];
  const job = { ...ownerAndRepo(repo), job_id: id };
  try {
    const { data } = await client.rest.actions.getJobForWorkflowRun(job);
    const steps = data.steps ?? [];
    if (!steps.some(({ conclusion }) => BAD.has(conclusion))) return [];
    return failedSteps(steps, await readLog(client, job));
  } catch {
    // Logs expire, and another host keeps them, which may be out of reach: the agent then works with what else is known.
    return [];
  }
}

const MAX_KEPT_BYTES = 4_000_000;

/** Keeps only the end of a log: jobs can write gigabytes. */
async function readLog(
  client: Octokit,
  job: { readonly owner: string; readonly repo: string; readonly job_id: number },
): Promise<string> {
  const route = "GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs";
  const { data } = await client.request(route, {
    ...job,
    request: { parseSuccessResponseBody: false },
  });
  const kept: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of data as AsyncIterable<Uint8Array>) {
    kept.push(chunk);
    bytes += chunk.length;
    while (bytes - (kept[0]?.length ?? bytes) > MAX_KEPT_BYTES) bytes -= kept.shift()?.length ?? 0;
  }
  return Buffer.concat(kept).toString("utf8");
}
