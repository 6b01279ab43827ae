import { readFile } from "node:fs/promises";

/** One agent's life, as it wrote it down itself. Times are milliseconds. */
export interface AgentLife {
  readonly id: string;
  readonly path: string;
  readonly startedAt: number;
  readonly endedAt: number;
}

const NANOSECONDS_A_MILLISECOND = 1e6;

/** By start; agents that never wrote their end are left out. */
export async function readJournal(file: string): Promise<readonly AgentLife[]> {
  const text = await readFile(file, "utf8").catch(() => "");
  const open = new Map<string, AgentLife>();
  const lives: AgentLife[] = [];
  for (const line of text.split("\n").filter(Boolean)) {
    const [what = "", id = "", path = "", time = ""] = line.split(" ");
    const at = Number(time) / NANOSECONDS_A_MILLISECOND;
    if (what === "started") open.set(id, { id, path, startedAt: at, endedAt: at });
    const life = open.get(id);
    if (what === "ended" && life !== undefined) lives.push({ ...life, endedAt: at });
  }
  return lives.sort((a, b) => a.startedAt - b.startedAt);
}
