import { wordOutOfReach } from "../../domain/claim/out-of-reach.ts";
import { decideBoard } from "./decide-board.ts";
import { decideLanding } from "./decide-landing.ts";
import { missingLabels } from "./decide-setup.ts";
import { reporterOf } from "./finding.ts";
import type { Finding } from "./finding.ts";
import { refusalFix, refusalWords } from "./refusal-words.ts";
import type { RepoDetails, RepoReading } from "./repo-reading.ts";

/** Decides what to report about one repository. */
export function decideRepo(reading: RepoReading): readonly Finding[] {
  const { installed, more } = reading;
  return [
    ...configFindings(reading),
    ...(installed.private ? [] : [publicFinding(installed.repo)]),
    ...(more === undefined ? [] : detailFindings(more, reading)),
  ];
}

function configFindings({ installed: { repo }, config }: RepoReading): readonly Finding[] {
  const say = reporterOf({ check: "repository-file", about: repo });
  if (!config.ok) {
    const message = `.github/wavetrain.yml cannot be read: ${refusalWords(config.error)}`;
    return [say.problem(message, refusalFix(config.error)), restSkipped(repo)];
  }
  const { hasFile, read } = config.value;
  if (read.ok) {
    const words = hasFile ? ".github/wavetrain.yml is valid" : "no .github/wavetrain.yml: defaults";
    return [say.ok(words)];
  }
  const fix = `put it right on the default branch of ${repo}; docs/configuration.md lists every key`;
  return [...read.error.map((line) => say.problem(line, fix)), restSkipped(repo)];
}

function restSkipped(repo: string): Finding {
  const what = "board, labels and rules";
  return reporterOf({ check: "repository", about: repo }).skipped(
    `${what}: once .github/wavetrain.yml can be used`,
  );
}

function publicFinding(repo: string): Finding {
  return reporterOf({ check: "visibility", about: repo }).warning(
    "the repository is public: everybody reads what agents write in pull requests and comments",
    "nothing, if you want that; work starts only at the word of someone with write access",
  );
}

function detailFindings(more: RepoDetails, reading: RepoReading): readonly Finding[] {
  return [
    ...decideBoard(more, reading),
    ...labelFindings(more, reading),
    ...decideLanding(more, reading.installed.repo),
    ...reachFindings(more, reading),
  ];
}

/** Most repositories have nothing of this. One whose files cannot be read says so by its other findings. */
function reachFindings({ outOfReach }: RepoDetails, reading: RepoReading): readonly Finding[] {
  if (!outOfReach.ok) return [];
  const say = reporterOf({ check: "out-of-reach", about: reading.installed.repo });
  const fix = "leave such tasks to a person; docs/tasks.md says what is blocked";
  const { submodules, lfs } = outOfReach.value;
  return [
    ...wordOutOfReach({ submodules, lfs: [] }).map((line) => say.warning(line, fix)),
    ...lfsFindings(wordOutOfReach({ submodules: [], lfs }), reading),
  ];
}

function lfsFindings(
  lines: readonly string[],
  { installed, gitLfs }: RepoReading,
): readonly Finding[] {
  const say = reporterOf({ check: "git-lfs", about: installed.repo });
  if (lines.length > 0 && gitLfs.ok) return [say.ok(`${gitLfs.value} is there for its files`)];
  const fix = "install git-lfs on the server, or leave such tasks to a person";
  return lines.map((line) => say.warning(line, fix));
}

function labelFindings({ config, labels }: RepoDetails, reading: RepoReading): readonly Finding[] {
  const say = reporterOf({ check: "labels", about: reading.installed.repo });
  if (!labels.ok) {
    const message = `the labels cannot be read: ${refusalWords(labels.error)}`;
    return [say.problem(message, refusalFix(labels.error))];
  }
  const missing = missingLabels(config, labels.value).map(({ name }) => name);
  if (missing.length === 0) return [say.ok("the labels exist")];
  const words = missing.length === 1 ? "label" : "labels";
  return [
    say.warning(
      `no ${words} ${missing.join(", ")}`,
      "wavetrain doctor --setup makes them; labels.* gives them other names",
    ),
  ];
}
