import { beginsLanding, refusalOf } from "../../../src/adapters/store/events/guards.ts";
import { commandFromRow } from "../../../src/adapters/store/rows/intake-rows.ts";
import { project } from "../../../src/adapters/store/rows/project.ts";
import type { ProjectedTables } from "../../../src/adapters/store/rows/tables.ts";
import { entryFromRow, trainFromRow } from "../../../src/adapters/store/rows/train-rows.ts";
import {
  intentFromRow,
  runFromRow,
  taskFromRow,
} from "../../../src/adapters/store/rows/work-rows.ts";
import type { Write } from "../../../src/adapters/store/rows/write.ts";
import type { Change } from "../../../src/domain/change.ts";
import { isOpenEntry } from "../../../src/domain/entry.ts";
import type { GivenCommand, RepoPause } from "../../../src/domain/given-command.ts";
import { instant } from "../../../src/domain/ids.ts";
import type { Instant, RepoName } from "../../../src/domain/ids.ts";
import type { Lease, Proof, RecordedEvent, RepoMemory, Store } from "../../../src/ports/store.ts";
import { AppError } from "../../../src/shared/app-error.ts";
import type { WatchedStore } from "./watched.ts";

/** What became of a process's wish for a lease, or of a write under one that it had lost. */
export interface LeaseNews {
  readonly kind: "acquired" | "renewed" | "busy" | "lost" | "fenced";
  readonly holder: string;
}

type Rows = Map<string, Record<string, unknown>>;
type Tables = Record<keyof ProjectedTables, Rows>;

/** The store in memory: the same projection, guards, unique indexes and leases, none of the SQL. */
export class ModelStore implements WatchedStore {
  #tables: Tables = emptyTables();
  #memory: RepoMemory | undefined;
  readonly events: RecordedEvent[] = [];
  readonly #leases = new Map<string, Lease>();
  readonly #publications = new Map<string, { key: string; remoteId: string; digest: string }>();
  readonly #now: () => Instant;
  /** Called after each write that was accepted. */
  watch: (changes: readonly Change[], memory: RepoMemory, holder: string | undefined) => void =
    () => undefined;
  watchLease: (news: LeaseNews) => void = () => undefined;
  readonly counts: Record<LeaseNews["kind"], number> = {
    acquired: 0,
    renewed: 0,
    busy: 0,
    lost: 0,
    fenced: 0,
  };
  /** As it was before the last write. */
  before: RepoMemory;

  constructor(now: () => Instant) {
    this.#now = now;
    this.before = this.memory();
  }

  record(repo: RepoName, changes: readonly Change[], proof?: Proof): void {
    if (proof?.kind === "lease" && !this.#holds(proof.lease)) {
      this.#tell("fenced", proof.lease.holder);
      throw new AppError("store-fenced", "the lease is lost");
    }
    const next = copyOf(this.#tables);
    for (const change of changes) {
      const refusal = this.#refusalOf(repo, change);
      if (refusal !== undefined) throw new AppError("store-conflict", refusal);
      for (const write of project(repo, change)) applyWrite(next, write);
    }
    checkIndexes(next);
    this.before = this.memory();
    this.#tables = next;
    this.#memory = undefined;
    for (const change of changes) {
      const seq = this.events.length + 1;
      this.events.push({ seq, at: this.#now(), repo, subject: "", change, hash: "" });
    }
    this.watch(changes, this.memory(), proof?.kind === "lease" ? proof.lease.holder : undefined);
  }

  #refusalOf(repo: RepoName, change: Change): string | undefined {
    const isPaused = beginsLanding(change) && this.pauseOf() !== undefined;
    return isPaused ? "the repository is paused" : refusalOf(repo, change);
  }

  memory(): RepoMemory {
    this.#memory ??= this.#read();
    return this.#memory;
  }

  #read(): RepoMemory {
    const rows = <T extends keyof ProjectedTables>(table: T): ProjectedTables[T][] =>
      [...this.#tables[table].values()] as unknown as ProjectedTables[T][];
    return {
      tasks: rows("tasks").map(taskFromRow),
      runs: rows("runs").map(runFromRow),
      entries: rows("entries").map(entryFromRow),
      explorations: [],
      intents: rows("intents").map(intentFromRow),
      trains: rows("trains").map(trainFromRow),
      holds: [],
      fence: 0,
    };
  }

  verdicts(...[, tree, commandHash]: Parameters<Store["verdicts"]>) {
    const all = [...this.#tables.verdicts.values()] as unknown as ProjectedTables["verdicts"][];
    return all.filter((one) => one.tree === tree && one.commandHash === commandHash);
  }

  acquireLease(name: string, holder: string, ttlMs: number) {
    const held = this.#leases.get(name);
    if (held !== undefined && held.holder !== holder && held.expiresAt > this.#now()) {
      this.#tell("busy", holder);
      return { kind: "busy", holder: held.holder, until: held.expiresAt } as const;
    }
    const expiresAt = instant(this.#now() + ttlMs);
    const lease: Lease = { name, holder, fence: (held?.fence ?? 0) + 1, expiresAt };
    this.#leases.set(name, lease);
    this.#tell("acquired", holder);
    return { kind: "held", lease } as const;
  }

  renewLease(lease: Lease, ttlMs: number): Lease | undefined {
    if (!this.#holds(lease)) {
      this.#tell("lost", lease.holder);
      return undefined;
    }
    const renewed = { ...lease, expiresAt: instant(this.#now() + ttlMs) };
    this.#leases.set(lease.name, renewed);
    this.#tell("renewed", lease.holder);
    return renewed;
  }

  releaseLease(lease: Lease): void {
    if (!this.#holds(lease)) return;
    this.#leases.set(lease.name, { ...lease, expiresAt: instant(0) });
  }

  /** Whether the process still has any lease. */
  isHolder(holder: string): boolean {
    return [...this.#leases.values()].some(
      (lease) => lease.holder === holder && this.#holds(lease),
    );
  }

  command(id: string): GivenCommand | undefined {
    return this.#commands().find((one) => one.id === id);
  }

  pendingCommands(): readonly GivenCommand[] {
    return this.#commands().filter(({ doneAt }) => doneAt === undefined);
  }

  pauseOf(): RepoPause | undefined {
    const last = this.#commands()
      .filter(({ result, said }) => result === "done" && (said === "pause" || said === "resume"))
      .toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
      .at(-1);
    return last?.said === "pause"
      ? { by: last.givenBy, reason: last.detail, since: last.at }
      : undefined;
  }

  publication(key: string) {
    return this.#publications.get(key);
  }

  savePublication(publication: { key: string; remoteId: string; digest: string }): void {
    this.#publications.set(publication.key, publication);
  }

  #commands(): readonly GivenCommand[] {
    const rows = [...this.#tables.commands.values()] as unknown as ProjectedTables["commands"][];
    return rows.map(commandFromRow);
  }

  #tell(kind: LeaseNews["kind"], holder: string): void {
    this.counts[kind] += 1;
    this.watchLease({ kind, holder });
  }

  #holds({ name, holder, fence }: Lease): boolean {
    const now = this.#leases.get(name);
    return now?.holder === holder && now.fence === fence && now.expiresAt > this.#now();
  }
}

function emptyTables(): Tables {
  const names = [
    "tasks",
    "runs",
    "entries",
    "intents",
    "trains",
    "verdicts",
    "claims",
    "fences",
    "commands",
  ];
  return Object.fromEntries(names.map((name) => [name, new Map()])) as Tables;
}

function copyOf(tables: Tables): Tables {
  return Object.fromEntries(
    Object.entries(tables).map(([name, rows]) => [name, new Map(rows)]),
  ) as Tables;
}

function isAsExpected(
  row: Readonly<Record<string, unknown>>,
  { from, changedAt }: Extract<Write, { kind: "update" }>,
): boolean {
  const inState = from === "any" || from.includes(row["state"] as string);
  return inState && (changedAt === undefined || changedAt === row["changedAt"]);
}

function applyWrite(tables: Tables, write: Write): void {
  if (write.kind === "move") throw new Error("no repository is renamed here");
  const rows = tables[write.table];
  switch (write.kind) {
    case "insert":
      if (rows.has(write.row.id)) throw new AppError("store-conflict", `${write.row.id} is there`);
      rows.set(write.row.id, { ...write.row });
      return;
    case "update": {
      const row = rows.get(write.id);
      if (row === undefined || !isAsExpected(row, write)) {
        throw new AppError("store-conflict", `${write.id} is ${String(row?.["state"])}`);
      }
      rows.set(write.id, { ...row, ...write.set });
      return;
    }
    case "delete":
      if (!rows.delete(write.id)) throw new AppError("store-conflict", `${write.id} is gone`);
      return;
    case "release":
    case "extend":
    case "advance":
      return;
  }
}

/** As migration 0004 has them. */
function checkIndexes(tables: Tables): void {
  const landing = new Set<string>();
  const pulls = new Set<number>();
  for (const row of tables.entries.values()) {
    const entry = row as unknown as ProjectedTables["entries"];
    const place = `${entry.base}:${String(entry.place)}`;
    if (entry.state === "landing") {
      if (landing.has(place)) throw new AppError("store-conflict", "another batch is landing");
      landing.add(place);
    }
    if (!isOpenEntry(entry.state) || entry.pull === null) continue;
    if (pulls.has(entry.pull)) throw new AppError("store-conflict", "the pull request is in");
    pulls.add(entry.pull);
  }
}
