import { join } from "node:path";
import { openStore } from "../../adapters/store/open-store.ts";
import { instant } from "../../domain/ids.ts";
import type { RecordedEvent, Store } from "../../ports/store.ts";
import { AppError } from "../../shared/app-error.ts";
import { hasStore } from "./data-folder.ts";
import { findServer } from "./find-server.ts";
import type { ControlClient } from "./find-server.ts";
import { readLines } from "./read-lines.ts";

export interface WantedEvents {
  readonly after: number;
  readonly follow: boolean;
}

export interface EventSource {
  /** How they are read, as a sentence; undefined when a server answers. */
  readonly note: string | undefined;
  events(wanted: WantedEvents): AsyncIterable<RecordedEvent>;
  close(): Promise<void>;
}

const PAGE = 1000;

/** The server's events; with the server stopped, those of its store. */
export async function openEventSource(dataDir: string): Promise<EventSource> {
  const server = await findServer(dataDir);
  return server === undefined ? fromStore(dataDir) : fromServer(server);
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

/** Looked for first: opening a store makes one where there is none. */
async function fromStore(dataDir: string): Promise<EventSource> {
  if (!(await hasStore(dataDir))) {
    throw new AppError(
      "store-unusable",
      `no server is running and there is no store in ${dataDir}`,
    );
  }
  const store = await openStore({
    path: join(dataDir, "store"),
    now: () => instant(Date.now()),
  });
  return {
    note: "no server is running: read from its store",
    events: (wanted) => storedEvents(store, wanted),
    close: () => store.close(),
  };
}

async function* storedEvents(
  store: Store,
  { after, follow }: WantedEvents,
): AsyncGenerator<RecordedEvent> {
  if (follow) throw new AppError("server-silent", "--follow needs a running server");
  let last = after;
  for (;;) {
    const page = await store.events(last, PAGE);
    yield* page;
    last = page.at(-1)?.seq ?? last;
    if (page.length < PAGE) return;
  }
}
