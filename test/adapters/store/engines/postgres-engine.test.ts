import { inspect } from "node:util";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { openPostgresEngine } from "../../../../src/adapters/store/engines/postgres-engine.ts";
import { openStore } from "../../../../src/adapters/store/open-store.ts";
import type { OpenStore } from "../../../../src/adapters/store/store-options.ts";
import { NOW, REPO, aSignal, aTask, anIntent } from "../../../support/builders.ts";
import { PASSWORD } from "../../../support/postgres.ts";
import { added } from "../changes.ts";
import { usePostgres } from "../use-postgres.ts";

const server = usePostgres();
const open = (url: string): Promise<OpenStore> =>
  openStore({ kind: "postgres", url, now: () => NOW });

/** A database of a role of its own, to which `statements` are done. */
async function asRole(name: string, ...statements: readonly string[]): Promise<string> {
  const url = await server().createDatabase();
  const database = new URL(url).pathname.slice(1);
  await server().query(`create role ${name} login password '${PASSWORD}'`);
  for (const statement of statements) await server().query(statement, database);
  return url.replace("//wavetrain:", `//${name}:`);
}

async function refusal(url: string): Promise<Error> {
  const error: unknown = await open(url).then(
    (store) => store.close(),
    (reason: unknown) => reason,
  );
  if (error instanceof Error) return error;
  throw new Error(`the store at ${url} was opened`);
}

describe("a database that cannot hold the store", () => {
  const address = expect.stringMatching(
    /^cannot use the store at postgres:\/\/127[^ @]+: /,
  ) as string;
  const cases: readonly [string, () => Promise<string> | string, string][] = [
    [
      "no server",
      () =>
        server()
          .url("x")
          .replace(/:\d+\//, ":1/"),
      "no server answers there",
    ],
    [
      "an unknown host",
      () => server().url("x").replace("127.0.0.1", "127.nowhere.invalid"),
      "its host",
    ],
    ["a wrong password", () => server().url("postgres").replace("s3cret", "guess"), "the password"],
    ["an unknown user", () => server().url("postgres").replace("//wavetrain", "//who"), "the user"],
    ["an unknown database", () => server().url("nothing"), "there is no such database"],
    [
      "a read-only one",
      () => asRole("reader", "alter role reader set default_transaction_read_only = on"),
      "it is read-only",
    ],
    ["one without rights", () => asRole("guest"), "the user lacks the rights to its tables"],
    [
      "one with too many connections",
      () => asRole("crowd", "alter role crowd connection limit 0"),
      "it has too many connections",
    ],
    [
      "an old version",
      () =>
        asRole(
          "old",
          `create function current_setting(text) returns text as $$ select '140012' $$ language sql`,
          "alter role old set search_path = public, pg_catalog",
        ),
      "it is PostgreSQL 14; version 15 or newer is needed",
    ],
  ];

  it.each(cases)("is refused with one line: %s", async (_name, at, reason) => {
    const error = await refusal(await at());
    expect(error).toMatchObject({ name: "AppError", code: "store-unusable", message: address });
    expect(error.message).toContain(reason);
    const everything = inspect(error, { depth: 20, showHidden: true });
    for (const secret of [PASSWORD, encodeURIComponent(PASSWORD)]) {
      expect(everything).not.toContain(secret);
    }
  });
});

/** Makes every new event fail as PostgreSQL would, `times` times. */
async function failing(state: string, times: number): Promise<OpenStore> {
  const url = await server().createDatabase();
  const store = await open(url);
  const database = new URL(url).pathname.slice(1);
  await server().query(
    `create sequence failures;
    create function fail() returns trigger as $$ begin
      if nextval('failures') <= ${times} then raise exception 'as ordered' using errcode = '${state}'; end if;
      return new;
    end $$ language plpgsql;
    create trigger fail before insert on events for each row execute function fail()`,
    database,
  );
  return store;
}

describe("a write that PostgreSQL refuses", () => {
  it.each([
    ["disk full", "53100", { code: "store-unusable", retryable: true }],
    ["read-only", "25006", { code: "store-unusable", retryable: true }],
    ["a cancelled statement", "57014", { code: "store-unusable", retryable: true }],
    ["a damaged disk", "58030", { code: "store-unusable", retryable: false }],
    ["a broken rule", "23514", { code: "store-conflict" }],
  ])("is told in our words and leaves nothing: %s", async (_name, state, expected) => {
    const store = await failing(state, 1);
    await expect(store.record(REPO, [added(aTask())])).rejects.toMatchObject(expected);
    expect((await store.readRepo(REPO)).tasks).toEqual([]);
    await store.record(REPO, [added(aTask())]);
    await store.close();
  });

  it.each(["40001", "40P01"])("is done again when others were in the way: %s", async (state) => {
    const store = await failing(state, 3);
    await store.record(REPO, [added(aTask())]);
    expect(await store.events(0, 10)).toHaveLength(1);
    await store.close();
  });

  it("is given up when others are always in the way", async () => {
    const store = await failing("40001", 1000);
    const given = { code: "store-unusable", retryable: true };
    await expect(store.record(REPO, [added(aTask())])).rejects.toMatchObject(given);
    await store.close();
  });

  it("cannot hold a character that PostgreSQL does not know", async () => {
    const store = await open(await server().createDatabase());
    const task = aTask({ reason: "a\0b" });
    await expect(store.record(REPO, [added(task)])).rejects.toMatchObject({
      code: "store-conflict",
    });
    await store.close();
  });
});

describe("a store on PostgreSQL", () => {
  it("is made by many servers that start at once, and found by the next", async () => {
    const url = await server().createDatabase();
    const stores = await Promise.all(Array.from({ length: 6 }, () => open(url)));
    await Promise.all(stores.map((store, i) => store.record(REPO, [added(aTask({ issue: i }))])));
    await Promise.all(stores.map((store) => store.close()));
    const next = await open(url);
    expect((await next.readRepo(REPO)).tasks).toHaveLength(6);
    await next.close();
  });

  it("is refused when a newer version has written it", async () => {
    const url = await server().createDatabase();
    await (await open(url)).close();
    const newer = "insert into kysely_migration values ('9999-later', '')";
    await server().query(newer, new URL(url).pathname.slice(1));
    expect(await refusal(url)).toMatchObject({
      code: "store-unusable",
      message: expect.stringContaining("9999-later") as string,
    });
  });

  it("waits for the disk also where the database's default is not to", async () => {
    const url = await server().createDatabase();
    await server().query(
      `alter database ${new URL(url).pathname.slice(1)} set synchronous_commit = off`,
    );
    const engine = await openPostgresEngine(url);
    const setting = await sql`select current_setting('synchronous_commit') as value`.execute(
      engine.db,
    );
    expect(setting.rows).toEqual([{ value: "on" }]);
    await engine.close();
  });

  it("gives a consistent view while others write", async () => {
    const url = await server().createDatabase();
    const [writer, reader] = [await open(url), await open(url)];
    const written = (async () => {
      for (let issue = 1; issue <= 40; issue += 1) {
        const intent = anIntent({ key: `k-${issue}` });
        await writer.record(REPO, [added(aTask({ issue })), { kind: "intent-opened", intent }]);
      }
    })();
    for (let seen = 0; seen < 40;) {
      const { tasks, intents } = await reader.readRepo(REPO);
      expect(intents).toHaveLength(tasks.length);
      seen = tasks.length;
    }
    await written;
    await Promise.all([writer.close(), reader.close()]);
  });
});

describe("wake-ups", () => {
  it("reach every process that shares the database", async () => {
    const url = await server().createDatabase();
    const [one, other] = [await open(url), await open(url)];
    const heard = [listen(one), listen(other)];
    for (const listener of heard) await listener.next();
    await one.wakeUps.notify(REPO);
    for (const listener of heard) expect(await listener.next()).toBe(REPO);
    await Promise.all([one.close(), other.close()]);
  });

  it("go on after the connection was lost, and say that some may be missing", async () => {
    const url = await server().createDatabase();
    const store = await open(url);
    const heard = listen(store);
    expect(await heard.next()).toBeUndefined();
    const database = new URL(url).pathname.slice(1);
    await server().query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`,
    );
    expect(await heard.next()).toBeUndefined();
    await store.wakeUps.notify(REPO);
    expect(await heard.next()).toBe(REPO);
    await store.addSignal(aSignal());
    await store.close();
  });
});

/** What a store hears, one after the other. */
function listen(store: OpenStore): { next(): Promise<unknown> } {
  const heard: unknown[] = [];
  const waiting: ((repo: unknown) => void)[] = [];
  store.wakeUps.onWake((repo) => {
    const next = waiting.shift();
    if (next === undefined) heard.push(repo);
    else next(repo);
  });
  return {
    next: () =>
      heard.length > 0
        ? Promise.resolve(heard.shift())
        : new Promise((resolve) => waiting.push(resolve)),
  };
}
