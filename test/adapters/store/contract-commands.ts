import { describe, expect, it } from "vitest";
import type { GivenCommand } from "../../../src/domain/given-command.ts";
import type { RepoName } from "../../../src/domain/ids.ts";
import * as given from "../../support/builders.ts";
import { NOW, OTHER_REPO, REPO } from "../../support/builders.ts";
import { added, later } from "./changes.ts";
import type { UnderTest } from "./contract-claims.ts";

export function describeCommands(use: UnderTest): void {
  describe("commands", () => {
    const command: GivenCommand = {
      id: "comment:9",
      repo: REPO,
      issue: 1,
      givenBy: "ann",
      said: "retry",
      detail: "",
      result: "done",
      answer: { lines: ["again"] },
      effects: [],
      comment: "9",
      at: NOW,
      doneAt: undefined,
    };
    const give = (members: Partial<GivenCommand>) =>
      use.store().record(REPO, [{ kind: "command-given", command: { ...command, ...members } }]);

    it("are taken once, with what they change or not at all", async () => {
      await give({});
      const again = use
        .store()
        .record(REPO, [added(given.aTask()), { kind: "command-given", command }]);
      await expect(again).rejects.toMatchObject({ code: "store-conflict" });
      expect(await use.store().command("comment:9")).toEqual(command);
      expect((await use.store().readRepo(REPO)).tasks).toEqual([]);
    });

    it("lift the pause of a runner, the last one counts", async () => {
      const lift = { repo: REPO, runner: "agent", by: "ann" };
      const lifted = (id: string, at: ReturnType<typeof later>) =>
        use.store().record(REPO, [{ kind: "runner-lifted", lift: { ...lift, id, at } }]);
      expect(await use.store().runnerLifts()).toEqual(new Map());
      await lifted("1", later(7));
      await lifted("2", later(9));
      expect(await use.store().runnerLifts()).toEqual(new Map([["agent", later(9)]]));
    });

    it("are due until they are done", async () => {
      await give({});
      expect(await use.store().pendingCommands(REPO)).toEqual([command]);
      expect(await use.store().pendingCommands(OTHER_REPO)).toEqual([]);
      await use
        .store()
        .record(REPO, [{ kind: "command-done", command: "comment:9", at: later(1) }]);
      expect(await use.store().pendingCommands(REPO)).toEqual([]);
      expect(await use.store().answersOn(REPO, [1, 2])).toEqual([{ ...command, doneAt: later(1) }]);
      expect(await use.store().answersOn(REPO, [2])).toEqual([]);
    });

    it("pause a repository by the last word on it", async () => {
      expect(await use.store().pauseOf(REPO)).toBeUndefined();
      await give({ id: "1", said: "pause", detail: "release", at: later(1) });
      const refused = { id: "2", said: "resume", result: "refused", at: later(2) } as const;
      await give(refused);
      const pause = { by: "ann", reason: "release", since: later(1) };
      expect(await use.store().pauseOf(REPO)).toEqual(pause);
      expect(await use.store().pauseOf(OTHER_REPO)).toBeUndefined();
      await give({ id: "3", said: "resume", at: later(3) });
      expect(await use.store().pauseOf(REPO)).toBeUndefined();
    });

    it("let nothing begin to land while they pause the repository", async () => {
      const begin = (repo: RepoName) => {
        const intent = given.anIntent({ repo, kind: "land", key: `land:${repo}` });
        return use.store().record(repo, [{ kind: "intent-opened", intent }]);
      };
      await give({ id: "1", said: "pause", at: later(1) });
      await expect(begin(REPO)).rejects.toMatchObject({ code: "store-conflict" });
      expect((await use.store().readRepo(REPO)).intents).toEqual([]);
      await begin(OTHER_REPO);
      await give({ id: "2", said: "resume", at: later(2) });
      await begin(REPO);
      expect((await use.store().readRepo(REPO)).intents).toHaveLength(1);
    });

    it("come from signals that say where to look", async () => {
      const subject = { kind: "comment", comment: "9" } as const;
      const signal = given.aSignal({ subject, actor: "ann" });
      await use.store().addSignal(signal);
      expect(await use.store().unseenSignals()).toEqual([signal]);
    });
  });
}
