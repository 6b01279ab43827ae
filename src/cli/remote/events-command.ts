import { join } from "node:path";
import { InvalidArgumentError, Option } from "commander";
import type { Command } from "commander";
import { FIRST_LINK, brokenLink } from "../../adapters/store/rows/event-row.ts";
import type { Link } from "../../adapters/store/rows/event-row.ts";
import type { StorePlace } from "../../adapters/store/store-options.ts";
import type { Change } from "../../domain/change.ts";
import { instant } from "../../domain/ids.ts";
import type { RecordedEvent, Store } from "../../ports/store.ts";
import { AppError } from "../../shared/app-error.ts";
import { printable } from "../text/terminal-text.ts";
import { wordMoved, wordOpened } from "./exploration-words.ts";
import { hasStore } from "./data-folder.ts";
import type { ServerPlace } from "./data-folder.ts";
import { findServer } from "./find-server.ts";
import type { ControlClient } from "./find-server.ts";
import { remoteCommand } from "./remote-command.ts";

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
  console.log(renderChainCheck(verdict));
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

interface ChainCheck {
  readonly events: number;
  /** This is the number of the first event that is not what was written there. */
  readonly broken: number | undefined;
  /** Another copy of the log can be compared with this. */
  readonly last: Link;
}

/** Follows the hash chain from its beginning. */
export async function verifyEvents(events: AsyncIterable<RecordedEvent>): Promise<ChainCheck> {
  let last: Link = FIRST_LINK;
  let count = 0;
  for await (const event of events) {
    if (brokenLink([event], last) !== undefined) return { events: count, broken: event.seq, last };
    last = event;
    count += 1;
  }
  return { events: count, broken: undefined, last };
}

export function renderChainCheck({ events, broken, last }: ChainCheck): string {
  if (broken !== undefined) {
    return `the chain of events breaks at ${broken}: it is not what was written after ${last.seq}`;
  }
  return `${events} events, unbroken${events === 0 ? "" : `; the last is ${last.seq}, ${last.hash}`}`;
}

/** Writes one line for people: number, time, subject, what happened and why. */
export function renderEvent({ seq, at, subject, change }: RecordedEvent): string {
  const time = new Date(at)
    .toISOString()
    .replace("T", " ")
    .replace(/\.\d+Z$/, "Z");
  return printable(`${seq}  ${time}  ${subject}  ${change.kind}${detailOf(change)}`);
}

function detailOf(change: Change): string {
  const from = "from" in change && "to" in change ? ` ${change.from} to ${change.to}` : "";
  const outcome = "outcome" in change ? ` ${change.outcome.kind}` : "";
  const reason = "reason" in change ? `: ${change.reason}` : "";
  return `${from}${outcome}${reason}${exploredOf(change)}`;
}

function exploredOf(change: Change): string {
  if (change.kind === "exploration-opened") return wordOpened(change.exploration);
  return change.kind === "exploration-moved" ? wordMoved(change) : "";
}

interface EventSource {
  /** It says in a sentence how the events are read; undefined when a server answers. */
  readonly note: string | undefined;
  events(wanted: WantedEvents): AsyncIterable<RecordedEvent>;
  close(): Promise<void>;
}

interface WantedEvents {
  readonly after: number;
  readonly follow: boolean;
}

const PAGE_SIZE = 1000;

/** Reads events from the running server, or from its store when the server is stopped. */
async function openEventSource(place: ServerPlace): Promise<EventSource> {
  const server = await findServer(place.dataDir);
  return server === undefined ? fromStore(place) : fromServer(server);
}

function fromServer(server: ControlClient): EventSource {
  return {
    note: undefined,
    async *events({ after, follow }) {
      const query = { after: String(after), ...(follow && { follow: "1" }) };
      yield* readLines<RecordedEvent>(await server.ask("events", query));
    },
    close: () => Promise.resolve(),
  };
}

async function fromStore(place: ServerPlace): Promise<EventSource> {
  const where = await storeOf(place);
  const { openStore } = await import("../../adapters/store/open-store.ts");
  const store = await openStore({ ...where, now: () => instant(Date.now()) });
  return {
    note: "no server is running: read from its store",
    events: (wanted) => storedEvents(store, wanted),
    close: () => store.close(),
  };
}

/** Checks that a store is there before it is opened: opening one in a folder makes one where there is none. */
async function storeOf({ dataDir, databaseUrl }: ServerPlace): Promise<StorePlace> {
  if (databaseUrl !== undefined) return { kind: "postgres", url: databaseUrl };
  if (await hasStore(dataDir)) return { path: join(dataDir, "store") };
  throw new AppError("store-unusable", `no server is running and there is no store in ${dataDir}`);
}

async function* storedEvents(
  store: Store,
  { after, follow }: WantedEvents,
): AsyncGenerator<RecordedEvent> {
  if (follow) throw new AppError("server-silent", "--follow needs a running server");
  let last = after;
  for (;;) {
    const page = await store.events(last, PAGE_SIZE);
    yield* page;
    last = page.at(-1)?.seq ?? last;
    if (page.length < PAGE_SIZE) return;
  }
}

/** Yields the JSON values of an answer that has one a line, as they come. */
async function* readLines<T>(response: Response): AsyncGenerator<T> {
  if (response.body === null) return;
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line) as T;
  }
}
