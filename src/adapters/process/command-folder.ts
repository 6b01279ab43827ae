import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { constants } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import type { Aside } from "../../ports/host.ts";
import type { CommandEnd, CommandRequest } from "../../ports/processes.ts";
import { codeOf } from "../host/file-errors.ts";
import { decodedName, foldersIn } from "../host/folders.ts";
import { parseStat } from "./process-table.ts";
import type { Identity } from "./process-table.ts";

/**
 * This is what we must know of a command to follow it again. Only the names of its environment are kept, because the values may be
 * secret.
 */
const recordSchema = z.object({
  id: z.string(),
  marker: z.string(),
  command: z.array(z.string()),
  cwd: z.string(),
  env: z.array(z.string()),
  logPath: z.string(),
  /** The command's own output begins at this byte of the log. */
  logStart: z.number(),
  startedAt: z.number(),
});
export type CommandRecord = z.infer<typeof recordSchema>;

const endSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("exited"), code: z.number() }),
  z.object({ kind: z.literal("killed"), signal: z.string() }),
  z.object({ kind: z.literal("stalled"), afterMs: z.number() }),
  z.object({ kind: z.literal("disk-limit"), limitBytes: z.number() }),
  z.object({
    kind: z.enum(["timed-out", "output-limit", "process-limit", "cancelled", "vanished", "lost"]),
  }),
]);

/** With these errors the file is not there, or something else is in its place. */
const ABSENT: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR", "EISDIR"]);

/**
 * Keeps one command on disk: what was asked, who runs it, why it was stopped and how it ended. Whoever opens the folder next
 * continues from there.
 */
export class RunFolder {
  readonly path: string;

  constructor(root: string, id: string) {
    this.path = join(root, encodeURIComponent(id));
  }

  async create(request: CommandRequest, record: CommandRecord): Promise<void> {
    await mkdir(this.path, { recursive: true, mode: 0o700 });
    await writeFile(join(this.path, "stdin"), request.stdin, { mode: 0o600 });
    await this.#write("run.json", record);
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }

  async record(): Promise<CommandRecord | undefined> {
    return recordSchema.safeParse(await this.#readJson("run.json")).data;
  }

  /** Says which process runs the command. `boot` tells whether that process can still be alive. */
  async runner(): Promise<(Identity & { readonly boot: string }) | undefined> {
    const lines = await this.#readWhole("pid");
    if (lines === undefined) return undefined;
    const [pid = "", start = "", boot = ""] = lines;
    const started = parseStat(start)?.started ?? start.trim().split(/\s+/).join(" ");
    return { pid: Number(pid), started, boot };
  }

  /**
   * This is asked several times a second while the command runs, so a synchronous look first tells that the file is not there yet:
   * it needs no thread.
   */
  async exit(): Promise<CommandEnd | undefined> {
    if (!existsSync(join(this.path, "exit"))) return undefined;
    const lines = await this.#readWhole("exit");
    return lines === undefined ? undefined : endOf(Number(lines[0]));
  }

  /** This is written before the first signal, because the exit code of a command that was told to stop says nothing. */
  writeStop(reason: CommandEnd): Promise<void> {
    return this.#write("stop", reason);
  }

  async stop(): Promise<CommandEnd | undefined> {
    return endSchema.safeParse(await this.#readJson("stop")).data;
  }

  /** This is written when nothing that the command started is left. */
  writeEnd(end: CommandEnd): Promise<void> {
    return this.#write("end", end);
  }

  async end(): Promise<CommandEnd | undefined> {
    return endSchema.safeParse(await this.#readJson("end")).data;
  }

  async #write(name: string, value: unknown): Promise<void> {
    const path = join(this.path, name);
    await writeFile(`${path}.new`, JSON.stringify(value), { mode: 0o600 });
    await rename(`${path}.new`, path);
  }

  async #readJson(name: string): Promise<unknown> {
    const text = await this.#read(name);
    try {
      return text === undefined ? undefined : (JSON.parse(text) as unknown);
    } catch {
      // We only write whole files. So somebody else or a crash of the machine damaged this one, and it says nothing.
      return undefined;
    }
  }

  /** Reads the lines of a file that the shim writes. The result is undefined until the file is complete. */
  async #readWhole(name: string): Promise<readonly string[] | undefined> {
    const text = await this.#read(name);
    return text?.endsWith("\n.\n") ? text.split("\n").slice(0, -2) : undefined;
  }

  async #read(name: string): Promise<string | undefined> {
    try {
      return await readFile(join(this.path, name), "utf8");
    } catch (error) {
      if (ABSENT.has(codeOf(error))) return undefined;
      throw error;
    }
  }
}

export async function listRunFolders(root: string, aside: Aside): Promise<readonly string[]> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  return foldersIn(root, { aside, read: decodedName });
}

// Only signals that really end programs are listed: some programs use other numbers above 128 as their own exit codes.
const DEADLY = [
  ...(["SIGHUP", "SIGINT", "SIGQUIT", "SIGILL", "SIGABRT", "SIGBUS", "SIGFPE"] as const),
  ...(["SIGKILL", "SIGSEGV", "SIGPIPE", "SIGALRM", "SIGTERM", "SIGXCPU", "SIGXFSZ"] as const),
];

/** A shell reports 128 + n for a command that died of signal n. */
function endOf(code: number): CommandEnd {
  const signal = DEADLY.find((name) => constants.signals[name] === code - 128);
  return signal === undefined ? { kind: "exited", code } : { kind: "killed", signal };
}
