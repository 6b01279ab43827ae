import { describe, expect, it } from "vitest";
import { followLog } from "../../../src/cli/logs/follow-log.ts";
import type { ControlClient } from "../../../src/cli/remote/find-server.ts";
import type { LogPlace, LoggedRun } from "../../../src/control/get-logs.ts";

function aLogged(id: string): LoggedRun {
  return {
    id,
    attempt: 1,
    contender: 1,
    runner: "codex",
    preset: undefined,
    state: "finished",
    startedAt: undefined,
    finishedAt: undefined,
    outcome: "succeeded",
    host: undefined,
    path: `/logs/${id}`,
    size: 0,
  };
}

/** It means these runs one after the other, and the last one for ever, by when the task is in review. */
function aServer(ids: readonly string[]): ControlClient {
  const left = [...ids];
  const ask: ControlClient["ask"] = () => {
    const run = aLogged(left[0] ?? "");
    const state = left.length > 1 ? "running" : "review";
    if (left.length > 1) left.shift();
    const about = { repo: "octo/app", task: "octo/app#1", issue: 1, reason: "" };
    const place: LogPlace = { ...about, state, run, runs: [] };
    return Promise.resolve(Response.json(place));
  };
  return { pid: 1, ask, tell: ask };
}

describe("followLog", () => {
  it("follows one evaluation after the other, and the best only once", async () => {
    const begun: string[] = [];
    await followLog(
      aServer(["e1", "e2", "e3", "e2"]),
      {},
      {
        begin: ({ id }) => begun.push(id),
        bytes: () => undefined,
        end: () => undefined,
        waiting: () => undefined,
      },
    );
    expect(begun).toEqual(["e1", "e2", "e3"]);
  });
});
