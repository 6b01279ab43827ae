import { Command } from "commander";
import type { GitHubOptions } from "./run-github.ts";

const UNUSABLE = { exitCode: 2 };

const HELP = `
A GitHub on this machine alone: REST, GraphQL, signed webhooks, git over HTTP, and pages to read along and review. It knows an
organization with people, repositories, a project and issues, and an App that is installed on it. Everything is forgotten when it ends.

FILE says what it begins with, in YAML: organization, people (login: role), repositories (name, and from: PATH or files:), board
(title, columns), issues (title, body, labels, column). Without it there is one repository, a copy of --repo PATH if that is given.

DIR is made anew at every start. In it are the repositories, and the App's key where \`wavetrain start\` finds it:
the lines that it prints are ready to be pasted.

Ends on SIGTERM or SIGINT. Exit code: 0 then, 1 when it cannot be started, 2 when the input is unusable.

Examples:
  wavetrain github --port 4000
  wavetrain github --port 4000 --repo ~/src/shop
  wavetrain github --world world.yml --json`;

export function githubCommand(): Command {
  return new Command("github")
    .description("run a GitHub on this machine, to try this or any other GitHub App on")
    .option("--port <n>", "port to listen on, on loopback; 0 takes a free one", "4000")
    .option("--repo <path>", "git repository to begin with (copied, never changed)")
    .option("--world <file>", "what it begins with, in YAML")
    .option("--data <dir>", "folder for repositories and the App's key", ".wavetrain-local")
    .option(
      "--webhooks <url>",
      "where the App receives webhooks",
      "http://127.0.0.1:3000/api/github/webhooks",
    )
    .option("--as <login>", "whom the pages act as; the last of the people by default")
    .option("--json", "print addresses and the App's identity as one line of JSON")
    .addHelpText("after", HELP)
    .action(async (options: GitHubOptions, command: Command) => {
      // The local GitHub takes a while to load; nobody else needs it.
      const { checkWorld, runGitHub } = await import("./run-github.ts");
      const checked = await checkWorld(options);
      if (!checked.ok) {
        const lines = checked.error.map((problem) => `error: ${problem}`);
        return command.error(lines.join("\n"), UNUSABLE);
      }
      await runGitHub(checked.value, command);
    });
}
