import { mkdir, readFile, readdir, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CAN_MAKE_UNDELETABLE, makeUndeletable } from "./undeletable.ts";

type Random = () => number;

const SHARED_ROOM = /\/(?:workspaces|spares)(?:\/[^/]+){0,2}$/;

/** What may happen to one file or folder. */
const FAULTS = {
  delete: (path: string) => rm(path, { recursive: true, force: true }),
  empty: (path: string) => truncate(path),
  halve: async (path: string) => truncate(path, Math.floor((await stat(path)).size / 2)),
  spoil: async (path: string) =>
    writeFile(path, Buffer.alloc(Math.max(1, (await stat(path)).size), 0x5a)),
  "make a folder of": async (path: string) => {
    await rm(path, { recursive: true, force: true });
    await mkdir(path);
  },
  "make a file of": async (path: string) => {
    await rm(path, { recursive: true, force: true });
    await writeFile(path, "not what you think\n");
  },
  "lay a lock beside": (path: string) => writeFile(`${path}.lock`, ""),
  "lay a stray file beside": (path: string) => writeFile(join(path, "../stray"), ""),
  "lay a stray folder beside": (path: string) => mkdir(join(path, "../%zz"), { recursive: true }),
  "make undeletable": (path: string) => {
    // A folder in which everybody works and nobody may write is a server without the right to its data folder.
    if (SHARED_ROOM.test(path)) return Promise.reject(new Error("every workspace is in it"));
    makeUndeletable(path);
    return Promise.resolve();
  },
} satisfies Readonly<Record<string, (path: string) => Promise<unknown>>>;

type Fault = keyof typeof FAULTS;

const ANY: readonly Fault[] = [
  ...(["delete", "empty", "halve", "spoil", "make a folder of", "make a file of"] as const),
  ...(["lay a lock beside", "lay a stray file beside", "lay a stray folder beside"] as const),
];
const OFTEN_KEPT: readonly Fault[] = CAN_MAKE_UNDELETABLE ? [...ANY, "make undeletable"] : ANY;

/** Where faults happen, and which. What agents wrote in their trees is theirs, not ours. */
const PLACES: readonly { readonly below: string; readonly faults: readonly Fault[] }[] = [
  { below: "workspaces", faults: OFTEN_KEPT },
  { below: "spares", faults: OFTEN_KEPT },
  { below: "homes", faults: OFTEN_KEPT },
  { below: "runs", faults: OFTEN_KEPT },
  { below: "mirrors", faults: ANY },
  { below: "logs", faults: ANY },
  { below: "trash", faults: OFTEN_KEPT },
  // Damage in the middle of the database halts the server, which has a test of its own.
  { below: "store", faults: ["delete", "empty", "make a folder of"] },
  { below: "", faults: ["delete", "make a file of", "make a folder of"] },
];

/** A few faults at once in a data folder that nobody uses; says which. */
export async function mangle(dataDir: string, random: Random): Promise<readonly string[]> {
  const done: string[] = [];
  const count = 1 + Math.floor(random() * 4);
  for (let n = 0; n < count; n += 1) {
    const { below, faults } = pick(PLACES, random);
    const names = await namesBelow(dataDir, below);
    const fault = pick(faults, random);
    const drawn = random();
    const name = names[Math.floor(drawn * names.length)];
    if (name === undefined) continue;
    // What another fault made impossible is none.
    const happened = await FAULTS[fault](join(dataDir, name)).then(
      () => true,
      () => false,
    );
    if (happened) done.push(`${fault} ${name}`);
  }
  return done;
}

function pick<T>(from: readonly T[], random: Random): T {
  const picked = from[Math.floor(random() * from.length)];
  if (picked === undefined) throw new Error("nothing to pick from");
  return picked;
}

async function namesBelow(dataDir: string, below: string): Promise<readonly string[]> {
  const isTop = below === "";
  const names = await readdir(join(dataDir, below), { recursive: !isTop }).catch(() => []);
  return names
    .filter((name) => !/(^|\/)tree\//.test(name) && !(isTop && KEPT.has(name)))
    .map((name) => join(below, name))
    .toSorted();
}

/** What was moved aside is for people; a store that is gone as a whole is told apart by its parts. */
const KEPT: ReadonlySet<string> = new Set(["aside"]);

/** For those who look at what came of it. */
export async function lastLines(file: string, count: number): Promise<string> {
  const text = await readFile(file, "utf8").catch(() => "");
  return text
    .split("\n")
    .slice(-count)
    .map((line) => line.slice(0, 500))
    .join("\n");
}
