import type { Command } from "commander";
import type { Status } from "../../http/status.ts";
import type { ServerPlace } from "./data-folder.ts";
import { needServer } from "./find-server.ts";
import { remoteCommand } from "./remote-command.ts";
import { renderStatus } from "./render-status.ts";

interface StatusOptions {
  readonly json?: true;
}

const HELP = `
Asks the running server: every task that is not done or landed within the last day with its reason, the train, the runners.

Exit code: 0; 1 when no server is running or it does not answer; 2 for wrong options or folder.

Examples:
  wavetrain status
  wavetrain status --data-dir /var/lib/wavetrain
  wavetrain status --json | jq '.repositories[].tasks[] | select(.state == "failed")'`;

const NARROWEST = 60;

export function statusCommand(): Command {
  return remoteCommand("status", printStatus)
    .description("show what runs, what waits and why")
    .option("--json", "print it as JSON")
    .addHelpText("after", HELP);
}

async function printStatus({ dataDir }: ServerPlace, command: Command): Promise<void> {
  const { json } = command.opts<StatusOptions>();
  const server = await needServer(dataDir);
  const status = (await (await server.ask("status")).json()) as Status;
  const width = Math.max(NARROWEST, process.stdout.columns || 120);
  console.log(json ? JSON.stringify(status, undefined, 2) : renderStatus(status, width));
}
