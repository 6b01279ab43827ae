import { problemLine } from "../../config/read/config-problem.ts";
import type { ConfigProblem } from "../../config/read/config-problem.ts";
import { REPO_CONFIG_PATH } from "../../config/repository/read-repo-config.ts";
import type { Deps } from "../../ports/deps.ts";
import type { CheckReport, InstalledRepo } from "../../ports/github.ts";
import { escapeMarkdown } from "../render/escape-markdown.ts";
import { unlessRefused } from "./unless-refused.ts";

const CHECK_NAME = "wavetrain config";
const GOOD = "good";

export interface ReadConfigFile {
  readonly repo: InstalledRepo;
  /** These are the problems of the file; there are none when it can be used. */
  readonly problems: readonly ConfigProblem[];
  readonly blob: string;
}

/** Makes a check run on the default branch for a file that cannot be used, and one more when it was put right. */
export async function publishConfig(
  { repo, problems, blob }: ReadConfigFile,
  deps: Pick<Deps, "github" | "store" | "log">,
): Promise<void> {
  const key = `config:${repo.repo}`;
  const known = await deps.store.publication(key);
  const digest = problems.length === 0 ? GOOD : blob;
  if ((known?.digest ?? GOOD) === digest) return;
  const placed = await unlessRefused({ repo: repo.repo, what: "configuration check" }, deps, () =>
    place(repo, problems, deps),
  );
  await deps.store.savePublication({ key, remoteId: placed ?? "", digest });
}

async function place(
  { repo, defaultBranch }: InstalledRepo,
  problems: readonly ConfigProblem[],
  { github }: Pick<Deps, "github">,
): Promise<string> {
  const head = await github.branchHead(repo, defaultBranch);
  const text = problems.length === 0 ? USABLE : refusal(problems);
  return github.createCheck({ repo, head, name: CHECK_NAME, ...text });
}

type Text = Omit<CheckReport, "repo" | "head" | "name">;

const USABLE: Text = {
  status: "success",
  title: "The configuration can be used",
  summary: `${REPO_CONFIG_PATH} is in force.`,
};

function refusal(problems: readonly ConfigProblem[]): Text {
  const lines = problems.map((problem) => `- ${escapeMarkdown(problemLine(problem))}`);
  return {
    status: "failure",
    title: "The configuration cannot be used",
    summary: `The last good one stays in force.\n\n${lines.join("\n")}`,
    annotations: problems.map(({ line, message }) => ({
      path: REPO_CONFIG_PATH,
      line,
      message,
    })),
  };
}
