import { Command } from "commander";
import { readVariables } from "../../config/operator/env.ts";
import { OPERATOR_CONFIG_PATH } from "../../config/operator/read-operator-config.ts";
import type { Finding, Section } from "../../doctor/decide/finding.ts";
import {
  isSound,
  jsonOfFindings,
  renderSection,
  renderSummary,
} from "../../doctor/render-findings.ts";
import { isRepoName } from "../../domain/ids.ts";
import type { RepoName } from "../../domain/ids.ts";
import { quote } from "../../shared/quote.ts";
import { printable } from "../text/terminal-text.ts";

interface DoctorOptions {
  readonly config?: string;
  readonly repo?: string;
  readonly setup?: true;
  readonly json?: true;
}

const USAGE = { exitCode: 2 };
const UNSOUND = 1;

const HELP = `
Looks at everything that Wavetrain needs and says for each thing that is wrong what to do about it: this machine, the
operator's file, the agents' programs, the sandbox, the store, the app's key, its webhook, its permissions, and for each
repository its file, its board, its labels and the rules of its base branch. Works beside a running server. Reads only,
unless --setup is given: that makes missing project fields and labels, never columns.

  ✓ is right   ! works, but look at it   ✗ is wrong   - could not be looked at

Exit code: 0 when nothing is wrong, 1 when something is (✗), 2 for wrong options.

Examples:
  wavetrain doctor
  wavetrain doctor --repo acme/shop --setup
  wavetrain doctor --json | jq '.findings[] | select(.level == "problem")'`;

const NEW_LINE = "\r\u001b[K";

export function doctorCommand(): Command {
  return new Command("doctor")
    .description("check the whole set-up and say how to put right what is wrong")
    .option("--config <file>", `operator's file (default: ${OPERATOR_CONFIG_PATH})`)
    .option("--repo <owner/name>", "look at this repository only")
    .option("--setup", "make the project fields and labels that are missing")
    .option("--json", "print everything as JSON")
    .addHelpText("after", HELP)
    .action(async (options: DoctorOptions, command: Command) => {
      const only = repoFrom(options.repo, command);
      const progress = showProgress(process.stderr);
      const { examine } = await import("./examine.ts");
      const sections = examine({
        only,
        config: options.config,
        setup: options.setup === true,
        variables: readVariables(),
        progress: progress.say,
      });
      const findings = await print(sections, {
        json: options.json === true,
        clear: progress.clear,
      });
      process.exitCode = isSound(findings) ? 0 : UNSOUND;
    });
}

function repoFrom(given: string | undefined, command: Command): RepoName | undefined {
  if (given === undefined || isRepoName(given)) return given;
  return command.error(`error: --repo ${quote(given)} is not an owner/name`, USAGE);
}

/** Prints each section as it comes, or all of them as JSON at the end. */
async function print(
  sections: AsyncIterable<Section>,
  { json, clear }: { readonly json: boolean; readonly clear: () => void },
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const made: string[] = [];
  for await (const section of sections) {
    clear();
    findings.push(...section.findings);
    made.push(...section.findings.filter(isMade).map(({ message }) => message));
    if (!json && section.findings.length > 0) console.log(`${textOf(section)}\n`);
  }
  clear();
  console.log(json ? jsonOfFindings(findings, made) : renderSummary(findings));
  return findings;
}

function isMade({ check, level }: Finding): boolean {
  return check === "setup" && level === "ok";
}

/** Names and words come from outside, so each line is made printable. */
function textOf(section: Section): string {
  return renderSection(section).split("\n").map(printable).join("\n");
}

interface Terminal {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

interface Progress {
  readonly say: (words: string) => void;
  readonly clear: () => void;
}

/** Shows one line that is written over on a terminal, and a line for each step elsewhere. */
export function showProgress(terminal: Terminal): Progress {
  const { isTTY = false } = terminal;
  return {
    say: (words) => {
      terminal.write(isTTY ? `${NEW_LINE}${words} …` : `${words}\n`);
    },
    clear: () => {
      if (isTTY) terminal.write(NEW_LINE);
    },
  };
}
