import { Command } from "commander";
import type { RawExploreOptions } from "./explore-options.ts";

const UNUSABLE = { exitCode: 2 };

const HELP = `
Each idea is tried on the checked-out branch, then each again on the best results, level by level; the best of all becomes a
pull request on a local GitHub. The repository is copied, never changed: the result is a bare repository to pull from.

The command CMD of --command runs by sh -c in a workspace and a HOME of its own, once for each idea on each node, with the prompt
on standard input and WAVETRAIN_IDEA, WAVETRAIN_IDEA_FILE, WAVETRAIN_DEPTH, WAVETRAIN_NODE and WAVETRAIN_ATTEMPT set. It sees your
PATH and the variables that --env names; --home user gives it your HOME and environment. A program that is named by a relative
path is looked for in the folder where you type.

The command CMD of --score runs on each change after --verify, where no agent ever worked, and on the base before anything else: it
has to exit with 0 and end with a number. The files of --score-files, and a script of the repository that it names, are those of
the base each time.

PATTERN is a path or pattern from the root of the repository, such as 'ideas/*.md', in quotation marks.

The first Ctrl-C stops it and keeps the best so far, the second one ends everything at once.

Examples:
  wavetrain explore --ideas 'ideas/*.md' --command ./agent.sh --score ./bench.sh --max-parallel-evals 4
  wavetrain explore --idea 'use a heap' --idea 'sort first' --command ./agent.sh --score 'node score.js' --best low
  wavetrain explore --ask 5 --runner codex --score 'npm run -s bench' --json | jq .winner

Exit code: 0 with a winner, 1 without one, 2 when the input is unusable.`;

export function exploreCommand(environment: Readonly<Record<string, string | undefined>>): Command {
  return new Command("explore")
    .description("try several ideas on this machine, level by level, and take the best")
    .option("--repo <path>", "git repository to work on (copied, never changed)", ".")
    .option("--ideas <patterns...>", "files with one idea each; repeatable")
    .option("--idea <text>", "instead: an idea; repeatable", collect)
    .option("--ask <n>", "instead: let the runner propose so many")
    .option("--task <text>", "what all of it is for, in a few words", "Explore")
    .option("--task-file <file>", "the same at length, for whoever does the work")
    .option("--command <cmd>", "what tries an idea in a workspace")
    .option("--runner <name>", "instead: a runner of wavetrain.config.yml, or codex, claude, …")
    .option("--score <cmd>", "prints a number: how good a change is")
    .option("--score-files <patterns...>", "what it needs of the base; repeatable")
    .option("--best <which>", "high: the highest score is the best; low: the lowest", "high")
    .option("--depth <n>", "levels; 2 without it")
    .option("--beam <n>", "best results of a level that the next one goes on with; 3 without it")
    .option("--max-parallel-evals <n>", "evaluations at the same time", "1")
    .option("--max-parallel-per-node <n>", "of them, from one commit")
    .option("--eval-retries <n>", "how often one that failed is tried again; 1 without it")
    .option("--eval-timeout-seconds <n>", "how long one may take, with all its steps")
    .option("--patience <n>", "levels without a better score after which it ends")
    .option("--strict", "end without a winner when an evaluation fails")
    .option("--files <patterns...>", "what may be changed; everything without it; repeatable")
    .option("--setup <cmd>", "makes each workspace ready, for example npm ci")
    .option("--verify <cmd>", "must exit 0 on the base and on each change before it is scored")
    .option("--env <name>", "a variable that the work may see; repeatable", collect)
    .option("--sandbox <how>", "bubblewrap: keep the work in; none: it can do what you can")
    .option("--home <whose>", "own: a HOME for each evaluation; user: yours", "own")
    .option("--pacing <how>", "polite: as github.com wants it; off: as fast as can be", "polite")
    .option("--port <n>", "port of the local GitHub; any free one by default", "0")
    .option("--json", "print the result as JSON")
    .option("--keep", "keep workspaces, logs and the store")
    .addHelpText("after", HELP)
    .action(async (raw: RawExploreOptions, command: Command) => {
      const { checkExploreInput } = await import("./check-explore-input.ts");
      const checked = await checkExploreInput(raw, environment);
      if (!checked.ok) return command.error(`error: ${checked.error}`, UNUSABLE);
      // The app and the local GitHub take a while to load: wrong input is answered at once.
      const { playExploration } = await import("./play-exploration.ts");
      process.exitCode = await playExploration(checked.value, environment, command);
    });
}

function collect(name: string, before: readonly string[] = []): readonly string[] {
  return [...before, name];
}
