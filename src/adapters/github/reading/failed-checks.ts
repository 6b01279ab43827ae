import { sha } from "../../../domain/ids.ts";
import type { RepoName } from "../../../domain/ids.ts";
import type {
  CheckEvidence,
  CheckRemark,
  FailedCheck,
  FailedStep,
} from "../../../domain/pull-review.ts";
import type { CheckPlace } from "../../../ports/github.ts";
import { ownerAndRepo } from "../connection/connection.ts";
import type { Octokit } from "../connection/connection.ts";
import { failedSteps } from "./job-log.ts";

/** The app's own check has this name (see `publish-check.ts`). */
const OWN_CHECK = "wavetrain";

const BAD: ReadonlySet<string | null> = new Set(["failure", "timed_out"]);

const ACTIONS = "github-actions";

const MAX_REMARKS = 20;

/** Where the base branch requires checks, only those count. Elsewhere all checks count. */
export async function readFailedChecks(
  client: Octokit,
  { repo, head, base }: CheckPlace,
): Promise<readonly FailedCheck[]> {
  const at = ownerAndRepo(repo);
  const ref = { ...at, ref: sha(head), filter: "latest", per_page: 100 } as const;
  const runs = await client.paginate(client.rest.checks.listForRef, ref);
  const failed = runs.filter(({ name, conclusion }) => name !== OWN_CHECK && BAD.has(conclusion));
  if (failed.length === 0) return [];
  const { data: rules } = await client.rest.repos.getBranchRules({ ...at, branch: base });
  const required = rules.flatMap((rule) =>
    rule.type === "required_status_checks"
      ? (rule.parameters?.required_status_checks ?? []).map(({ context }) => context)
      : [],
  );
  return failed
    .filter(({ name }) => required.length === 0 || required.includes(name))
    .map(({ id, name, output, app, completed_at: ended }) => ({
      id,
      name,
      text: [output.title, output.summary, output.text].filter(Boolean).join("\n\n"),
      remarkCount: output.annotations_count,
      isJob: app?.slug === ACTIONS,
      at: Date.parse(ended ?? ""),
    }));
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
