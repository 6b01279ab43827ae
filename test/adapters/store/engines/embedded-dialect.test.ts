import Libsql from "libsql";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { compilingOnce } from "../../../../src/adapters/store/engines/embedded-dialect.ts";

let database: Libsql.Database;
let compiled: string[];
beforeEach(() => {
  database = new Libsql(":memory:");
  compiled = [];
});
afterEach(() => database.close());

const counted = () => ({
  prepare: (sql: string) => {
    compiled.push(sql);
    return database.prepare(sql);
  },
  close: () => undefined,
});

describe("compilingOnce", () => {
  it("compiles a statement once, and answers anew each time", () => {
    const once = compilingOnce(counted());
    once.prepare("create table t (a integer primary key)").run([]);
    for (const a of [1, 2, 3]) once.prepare("insert into t values (?)").run([a]);
    const largest = () => once.prepare("select max(a) as most from t where a < ?");
    expect(largest().all([3])).toEqual([{ most: 2 }]);
    expect(largest().all([2])).toEqual([{ most: 1 }]);
    expect(compiled).toHaveLength(3);
  });

  it("can use a statement again that failed", () => {
    const once = compilingOnce(counted());
    once.prepare("create table t (a integer primary key)").run([]);
    const insert = (a: number) => once.prepare("insert into t values (?)").run([a]);
    insert(1);
    expect(() => insert(1)).toThrow();
    expect(insert(2).changes).toBe(1);
  });

  it("sees columns that were added after it was compiled", () => {
    const once = compilingOnce(counted());
    once.prepare("create table t (a)").run([]);
    once.prepare("insert into t values (1)").run([]);
    expect(once.prepare("select * from t").all([])).toEqual([{ a: 1 }]);
    once.prepare("alter table t add column b default 2").run([]);
    expect(once.prepare("select * from t").all([])).toEqual([{ a: 1, b: 2 }]);
  });

  it("keeps the statements that were used last", () => {
    const once = compilingOnce(counted());
    const ask = (n: number) => once.prepare(`select ${n}`).all([]);
    for (let n = 0; n < 250; n += 1) {
      ask(n);
      ask(0);
    }
    expect(compiled.filter((sql) => sql === "select 0")).toHaveLength(1);
    ask(1);
    expect(compiled.filter((sql) => sql === "select 1")).toHaveLength(2);
  });
});
