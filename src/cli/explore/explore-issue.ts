import { taskSpecFromIssue } from "../../board/issue/task-from-issue.ts";
import type { RepoConfig } from "../../config/schema/repo-config.ts";
import type { IdeaSource } from "../../domain/exploration.ts";
import { repoName } from "../../domain/ids.ts";
import { assertNever } from "../../shared/assert-never.ts";
import { codeFence } from "../../shared/code-fence.ts";
import type { StageOptions } from "../trial/stage.ts";
import { ISSUE_LABELS, SCORE_NAME } from "./explore-config.ts";
import type { ExploreOptions } from "./explore-options.ts";

type WrittenIssue = StageOptions["issues"][number];

/** Writes the issue that a person would have written with the form. The rules come first, because the task's own words may contain anything. */
export function exploreIssue({ title, body, ideas, claims }: ExploreOptions): WrittenIssue {
  const rules = [`score: ${SCORE_NAME}`, ...ideaLines(ideas)].join("\n");
  const parts = [
    `### Files\n\n${codeFence(claims.join("\n"), "")}`,
    `### Explore\n\n${codeFence(rules, "")}`,
    `### Task\n\n${body === "" ? title : body}`,
  ];
  return { title, body: parts.join("\n\n"), labels: ISSUE_LABELS };
}

function ideaLines(ideas: IdeaSource): readonly string[] {
  switch (ideas.kind) {
    case "files":
      return [`ideas: ${ideas.patterns.map((pattern) => `\`${pattern}\``).join(", ")}`];
    case "list":
      return ["ideas:", ...ideas.ideas.map(({ text }) => itemOf(text))];
    case "ask":
      return [`ask: ${ideas.count}`];
    default:
      return assertNever(ideas);
  }
}

function itemOf(text: string): string {
  return `- ${text.split("\n").join("\n  ")}`;
}

/** Reads the issue as the app will, and says what is lost on the way. */
export function issueProblem(options: ExploreOptions, config: RepoConfig): string | undefined {
  const { invalid, explore, dependsOn } = taskSpecFromIssue(
    {
      ...exploreIssue(options),
      repo: repoName("local/one"),
      number: 1,
      nodeId: "",
      state: "open",
      parent: undefined,
      blockedBy: [],
    },
    config,
  );
  if (invalid !== undefined) return invalid.reason;
  if (dependsOn.length > 0)
    return "--task-file: it depends on other issues, and there are none here";
  return JSON.stringify(textsOf(explore?.ideas)) === JSON.stringify(textsOf(options.ideas))
    ? undefined
    : "the ideas do not fit into an issue as they are: commit each in a file of its own, and name those by --ideas";
}

function textsOf(ideas: IdeaSource | undefined): readonly string[] {
  if (ideas?.kind === "list") return ideas.ideas.map(({ text }) => withoutBlanks(text));
  return ideas?.kind === "files" ? ideas.patterns : [];
}

/** Markdown does not keep all blanks. */
function withoutBlanks(text: string): string {
  return text.split(/\s+/).join(" ");
}
