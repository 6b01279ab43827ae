import { join } from "node:path";
import type { StorePlace } from "../../adapters/store/store-options.ts";
import { instant } from "../../domain/ids.ts";
import type { RecordedEvent, Store } from "../../ports/store.ts";
import { AppError } from "../../shared/app-error.ts";
import { hasStore } from "./data-folder.ts";
import type { ServerPlace } from "./data-folder.ts";
import { findServer } from "./find-server.ts";
import type { ControlClient } from "./find-server.ts";

export interface EventSource {
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
export async function openEventSource(place: ServerPlace): Promise<EventSource> {
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
