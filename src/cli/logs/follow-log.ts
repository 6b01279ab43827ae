import type { LogPlace, LoggedRun } from "../../control/get-logs.ts";
import { AppError } from "../../shared/app-error.ts";
import type { ControlClient } from "../remote/find-server.ts";

/** The run of which the log is asked for, as the server understands it. */
export type LogQuery = Readonly<Record<string, string>>;

export interface LogReader {
  /** A run's log begins, the first or the next. */
  begin(run: LoggedRun, place: LogPlace): void;
  bytes(part: Uint8Array): void;
  /** There is no more of it; `run` says how it ended, or that it has not. */
  end(run: LoggedRun): void;
  /** Nothing runs now, and something may later. */
  waiting(place: LogPlace): void;
}

const POLL_EVERY_MS = 300;

export async function askPlace(server: ControlClient, query: LogQuery): Promise<LogPlace> {
  return (await (await server.ask("logs", query)).json()) as LogPlace;
}

/** Reads the log of one run to its present end. */
export async function readLog(
  server: ControlClient,
  query: LogQuery,
  reader: LogReader,
): Promise<void> {
  const place = await askPlace(server, query);
  const run = needLog(place);
  reader.begin(run, place);
  await readOn({ server, query }, { run, from: 0 }, reader);
  reader.end(run);
}

/** Reads on until the run has ended. Where no certain run was asked for, the task's next attempts follow. */
export async function followLog(
  server: ControlClient,
  query: LogQuery,
  reader: LogReader,
): Promise<void> {
  const isCertain = "run" in query || "attempt" in query;
  const followed = new Set<string>();
  let told: string | undefined;
  for (;;) {
    const place = await askPlace(server, query);
    const { run } = place;
    // The best of several runs is meant once all have ended: it may have been followed already.
    if (run !== undefined && !followed.has(run.id)) {
      followed.add(run.id);
      await followRun({ server, query: { ...query, run: run.id } }, place, reader);
      continue;
    }
    if (isCertain || !mayRunAgain(place)) {
      needLog(place);
      return;
    }
    if (told !== place.reason) reader.waiting(place);
    told = place.reason;
    await pause();
  }
}

interface Source {
  readonly server: ControlClient;
  readonly query: LogQuery;
}

async function followRun(source: Source, first: LogPlace, reader: LogReader): Promise<void> {
  let run = needRun(first);
  reader.begin(run, first);
  let from = 0;
  for (;;) {
    from = await readOn(source, { run, from }, reader);
    // Its state was read before its log was: nothing is written after a run has ended.
    if (run.state === "finished") break;
    await pause();
    run = needRun(await askPlace(source.server, source.query));
  }
  reader.end(run);
}

/** Returns the place behind what was read. A log that was cut meanwhile has nothing more to say. */
async function readOn(
  { server, query }: Source,
  { run, from }: { readonly run: LoggedRun; readonly from: number },
  reader: LogReader,
): Promise<number> {
  let at = from;
  while (at < (run.size ?? 0)) {
    const asked = await server.ask("logs/bytes", { ...query, run: run.id, from: String(at) });
    const part = new Uint8Array(await asked.arrayBuffer());
    if (part.length === 0) break;
    reader.bytes(part);
    at += part.length;
  }
  return at;
}

function needRun({ task, state, reason, run }: LogPlace): LoggedRun {
  if (run !== undefined) return run;
  throw new AppError("server-refused", `${task} has no run yet; it is ${state}: ${reason}`);
}

/** A log that is not there is no error while its run may still begin it. */
function needLog(place: LogPlace): LoggedRun {
  const run = needRun(place);
  if (run.size !== undefined || run.state !== "finished") return run;
  throw new AppError(
    "server-refused",
    `there is no log of attempt ${run.attempt} of ${place.task} (${run.path}): it was cleaned up after cleanup.keepLogsFor, or nothing was ever run`,
  );
}

function mayRunAgain({ state }: LogPlace): boolean {
  return state === "waiting" || state === "running" || state === "blocked";
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS));
}
