import type { Command } from "commander";
import { InvalidArgumentError, Option } from "commander";
import type { RecordedEvent } from "../../ports/store.ts";
import type { ServerPlace } from "./data-folder.ts";
import { openEventSource } from "./event-source.ts";
import type { EventSource } from "./event-source.ts";
import { remoteCommand } from "./remote-command.ts";
import { renderEvent } from "./render-event.ts";
import { renderVerdict, verifyEvents } from "./verify-events.ts";

interface EventsOptions {
  readonly json?: true;
  readonly after: number;
  readonly follow?: true;
  readonly repo?: string;
  readonly verify?: true;
}

const HELP = `
Everything that was ever decided or happened, in order: an append-only log whose events are chained by hashes.
A running server is asked over HTTP; with the server stopped its store is read, and a line on standard error says so.

Exit code: 0; 1 when the events cannot be read or --verify finds the chain broken; 2 for wrong options or folder.

Examples:
  wavetrain events --repo acme/shop
  wavetrain events --json --after 1200 > events.ndjson
  wavetrain events --follow
  wavetrain events --verify`;

export function eventsCommand(): Command {
  return remoteCommand("events", printEvents)
    .description("print the event log, or check that nobody changed it")
    .option("--json", "one JSON object a line")
    .option("--after <n>", "only events after this number", wholeNumber, 0)
    .option("--follow", "wait for more")
    .option("--repo <owner/name>", "only events of this repository")
    .addOption(
      new Option("--verify", "check the hash chain from the beginning").conflicts([
        "follow",
        "repo",
        "json",
      ]),
    )
    .addHelpText("after", HELP);
}

async function printEvents(place: ServerPlace, command: Command): Promise<void> {
  const options = command.opts<EventsOptions>();
  const source = await openEventSource(place);
  try {
    if (source.note !== undefined) console.error(source.note);
    if (options.verify) await verify(source);
    else await print(source, options);
  } finally {
    await source.close();
  }
}

async function verify(source: EventSource): Promise<void> {
  const verdict = await verifyEvents(source.events({ after: 0, follow: false }));
  console.log(renderVerdict(verdict));
  if (verdict.broken !== undefined) process.exitCode = 1;
}

async function print(source: EventSource, options: EventsOptions): Promise<void> {
  const render = (event: RecordedEvent) =>
    options.json ? JSON.stringify(event) : renderEvent(event);
  for await (const event of source.events({
    after: options.after,
    follow: options.follow ?? false,
  })) {
    if (options.repo === undefined || event.repo === options.repo) console.log(render(event));
  }
}

function wholeNumber(given: string): number {
  if (!/^\d{1,15}$/.test(given)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(given);
}
