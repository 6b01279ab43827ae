import { execFile, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chown, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { findLastingPort } from "./lasting-port.ts";
import { canBePassed, postgresBinaries } from "./postgres-binaries.ts";
import type { User } from "./postgres-binaries.ts";
import { isRunFolder } from "./run-folder.ts";

/** With characters that an address must encode, and that no message may show. */
export const PASSWORD = "s3cret:/@#";
const START_LIMIT_MS = 90_000;

interface Options {
  /** Where durability is tested; without it the tests are faster. */
  readonly fsync: boolean;
}

interface Place {
  readonly folder: string;
  readonly binaries: string;
  readonly user: User | undefined;
}

/** A real PostgreSQL of its own. It ends with the process that started it, however that one ends, and leaves no files. */
export async function startPostgres(options: Options = { fsync: false }): Promise<PostgresServer> {
  const user = userOfServer();
  const folder = await ownFolder(user);
  try {
    const { binaries, data } = await onceForARun(user, folder);
    await promisify(execFile)("cp", ["-a", data, join(folder, "data")]);
    const server = new PostgresServer({ folder, binaries, user }, options);
    await server.start();
    return server;
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

interface Prepared {
  readonly binaries: string;
  /** Of a server that was never started. */
  readonly data: string;
}

/** Making a database costs a second of processor time, and copying one next to nothing. Outside of a run everybody makes his own. */
async function onceForARun(user: User | undefined, own: string): Promise<Prepared> {
  const room = await passableFolder(user);
  if (!isRunFolder(room)) return prepare(user, own);
  const folder = join(room, "postgres");
  if (!existsSync(folder)) {
    const made = await ownFolder(user);
    await prepare(user, made);
    // Where another process was faster, its folder has files in it and is not replaced.
    await rename(made, folder).catch(() => rm(made, { recursive: true }));
  }
  return preparedIn(folder, await postgresBinaries(folder, user));
}

function preparedIn(folder: string, binaries: string): Prepared {
  return { binaries, data: join(folder, "template") };
}

async function prepare(user: User | undefined, folder: string): Promise<Prepared> {
  const prepared = preparedIn(folder, await postgresBinaries(folder, user));
  const passwordFile = join(folder, "password");
  await writeFile(passwordFile, PASSWORD);
  if (user !== undefined) await chown(passwordFile, user.uid, user.gid);
  const args = ["-D", prepared.data, "-U", "wavetrain", `--pwfile=${passwordFile}`];
  const choices = ["--auth=scram-sha-256", "--locale=C", "--encoding=UTF8", "--no-sync"];
  const options = { ...user, cwd: folder, env: ENVIRONMENT };
  const initdb = join(prepared.binaries, "bin/initdb");
  await promisify(execFile)(initdb, [...args, ...choices], options);
  return prepared;
}

export class PostgresServer {
  readonly #place: Place;
  readonly #options: Options;
  #port = 0;
  #guard: ChildProcess | undefined;
  #databases = 0;
  readonly #emptied = new Set<string>();

  constructor(place: Place, options: Options) {
    this.#place = place;
    this.#options = options;
  }

  get pid(): Promise<number> {
    const file = readFile(join(this.#place.folder, "data/postmaster.pid"), "utf8");
    return file.then((text) => Number(text.split("\n")[0]));
  }

  get folder(): string {
    return this.#place.folder;
  }

  /** Another process may take the port between its choice and its use. */
  async start(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      this.#port ||= await findLastingPort();
      this.#guard = this.#spawn();
      try {
        await this.#untilReady();
        return;
      } catch (error) {
        await this.#end("keep");
        if (attempt === 3) throw error;
        this.#port = 0;
      }
    }
  }

  /** As if the machine had lost power, but for what the system had yet to write. */
  async crash(): Promise<void> {
    await this.#end("keep");
  }

  async stop(): Promise<void> {
    await this.#end("");
  }

  url(database: string): string {
    const credentials = `wavetrain:${encodeURIComponent(PASSWORD)}`;
    return `postgres://${credentials}@127.0.0.1:${this.#port}/${database}`;
  }

  /** The address of a new, empty database. */
  async createDatabase(): Promise<string> {
    const name = `db${++this.#databases}`;
    await this.query(`create database ${name}`);
    return this.url(name);
  }

  /** A database whose tables hold nothing: faster than a new one. */
  async emptyDatabase(name: string): Promise<string> {
    if (this.#emptied.has(name)) await this.query(EMPTY, name);
    else await this.query(`create database ${name}`);
    this.#emptied.add(name);
    return this.url(name);
  }

  async query(statement: string, database = "postgres"): Promise<readonly unknown[]> {
    const client = new pg.Client({ connectionString: this.url(database) });
    // The server may be stopped under us; the query says so.
    client.on("error", () => undefined);
    try {
      await client.connect();
      return (await client.query<object>(statement)).rows;
    } finally {
      await client.end();
    }
  }

  #spawn(): ChildProcess {
    const { folder, binaries, user } = this.#place;
    const settings = {
      fsync: this.#options.fsync ? "on" : "off",
      listen_addresses: "127.0.0.1",
      max_connections: "60",
      port: String(this.#port),
      shared_buffers: "32MB",
      unix_socket_directories: "",
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const server = [join(binaries, "bin/postgres"), "-D", join(folder, "data"), ...flags];
    // A session of its own: an interrupt from the terminal reaches the tests, and they end the server.
    return spawn("/bin/sh", ["-c", GUARD, "guard", folder, ...server], {
      ...user,
      cwd: folder,
      env: ENVIRONMENT,
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
    });
  }

  async #untilReady(): Promise<void> {
    for (const limit = Date.now() + START_LIMIT_MS; ;) {
      const failure = await this.query("select 1").then(
        () => undefined,
        (error: unknown) => error,
      );
      if (failure === undefined) return;
      const log = await readFile(join(this.#place.folder, "server.log"), "utf8").catch(() => "");
      if (Date.now() > limit || /FATAL: {2}(?!the database system is)/.test(log)) {
        throw new Error(`PostgreSQL did not start:\n${log}`, { cause: failure });
      }
      await pause(30);
    }
  }

  async #end(word: "keep" | ""): Promise<void> {
    const guard = this.#guard;
    this.#guard = undefined;
    if (guard === undefined) return;
    const ended = once(guard, "exit");
    guard.stdin?.end(word);
    await ended;
  }
}

/** Ends the server when its input ends, which the kernel sees to when the tests are killed. */
const GUARD = `
folder=$1; shift
"$@" >"$folder/server.log" 2>&1 &
server=$!
word=$(cat)
kill -QUIT $server
wait $server
[ "$word" = keep ] || rm -rf "$folder"`;

const EMPTY = `
do $$ begin
  execute (select coalesce('truncate ' || string_agg(quote_ident(tablename), ', '), 'select 1')
    from pg_tables where schemaname = 'public' and tablename not like 'kysely%');
end $$`;

const ENVIRONMENT = { PATH: process.env.PATH, LC_ALL: "C" };

/** PostgreSQL refuses to run as root. */
function userOfServer(): User | undefined {
  const nobody = 65_534;
  return process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : undefined;
}

async function ownFolder(user: User | undefined): Promise<string> {
  const folder = await mkdtemp(join(await passableFolder(user), "wavetrain-postgres-"));
  if (user !== undefined) await chown(folder, user.uid, user.gid);
  return folder;
}

async function passableFolder(user: User | undefined): Promise<string> {
  if (user === undefined) return tmpdir();
  for (const folder of [tmpdir(), "/tmp", "/var/tmp"])
    if (await canBePassed(folder).catch(() => false)) return folder;
  throw new Error("no temporary folder that PostgreSQL's user can reach");
}
