import { beforeEach, describe, expect, it } from "vitest";
import { instant } from "../../../src/domain/ids.ts";
import type { Deps } from "../../../src/ports/deps.ts";
import type { CheckReport } from "../../../src/ports/github.ts";
import type { Checked } from "../../../src/report/decide/decide-reports.ts";
import { publishCheckText, readGreen } from "../../../src/report/publish/publish-check.ts";
import { AppError } from "../../../src/shared/app-error.ts";
import { createKeyedQueue } from "../../../src/shared/keyed-queue.ts";
import { aConfig } from "../../support/a-config.ts";
import { NOW, REPO, aTask, anEntry, shaOf } from "../../support/builders.ts";
import { TestLog } from "../../support/test-log.ts";
import { useStore } from "../../support/use-store.ts";

const CONTEXT = { repo: REPO, base: "main", config: aConfig() };
const store = useStore(() => NOW);

/** The check runs of a commit on a GitHub whose answers may get lost. */
class Checks {
  readonly made: CheckReport[] = [];
  losesAnswers = false;
  isDown = false;

  findCheck(): Promise<string | undefined> {
    return Promise.resolve(this.made.length === 0 ? undefined : String(this.made.length - 1));
  }

  createCheck(report: CheckReport): Promise<string> {
    if (!this.isDown) this.made.push(report);
    return this.#answer(String(this.made.length - 1));
  }

  updateCheck(id: string, report: CheckReport): Promise<void> {
    const before = this.made[Number(id)];
    const stays = !isUnderWay(before) && isUnderWay(report);
    this.made[Number(id)] = { ...report, ...(stays && before && { status: before.status }) };
    return this.#answer(undefined);
  }

  #answer<T>(answer: T): Promise<T> {
    const lost = new AppError("github-unavailable", "no answer", { retryable: true });
    return this.losesAnswers ? Promise.reject(lost) : Promise.resolve(answer);
  }
}

function isUnderWay(report: CheckReport | undefined): boolean {
  return report?.status === "queued" || report?.status === "in-progress";
}

let github: Checks;
beforeEach(() => {
  github = new Checks();
});

function publish(status: CheckReport["status"], title = "title"): Promise<boolean> {
  const clock = { now: () => NOW };
  const deps = {
    clock,
    github,
    log: new TestLog(),
    store: store(),
    publishing: createKeyedQueue(),
  };
  const said = { task: aTask().id, head: shaOf(7), text: { status, title, summary: "" } };
  const notes = [{ path: "a.ts", message: "not declared" }];
  return publishCheckText(CONTEXT, { ...said, notes }, deps as unknown as Deps);
}

/** Has it published until an answer arrives, as ticks do. */
async function publishInSpite(status: CheckReport["status"]): Promise<void> {
  github.losesAnswers = true;
  await expect(publish(status)).rejects.toThrow("no answer");
  github.losesAnswers = false;
}

const statuses = (): readonly string[] => github.made.map(({ status }) => status);

describe("publishCheckText", () => {
  it("updates a check run as long as it is under way, and says nothing twice", async () => {
    expect(await publish("queued")).toBe(true);
    expect(await publish("in-progress")).toBe(false);
    await publish("success");
    expect(await publish("success")).toBe(false);
    expect(statuses()).toEqual(["success"]);
  });

  it("makes a new one when a completed one has to wait again, or fails after all", async () => {
    await publish("success");
    await publish("queued");
    expect(statuses()).toEqual(["success", "queued"]);
    await publish("failure");
    await publish("failure", "another");
    expect(statuses()).toEqual(["success", "failure", "failure"]);
    expect(github.made.map(({ notes }) => notes?.length ?? 0)).toEqual([1, 0, 1]);
  });

  it("makes none again after the answer was lost, the first as well as a later one", async () => {
    await publishInSpite("success");
    await publish("success");
    expect(statuses()).toEqual(["success"]);
    await publishInSpite("queued");
    await publish("queued");
    expect(statuses()).toEqual(["success", "queued"]);
  });

  it("does not rely on a run that may be completed by an answer that was lost", async () => {
    await publish("queued");
    await publishInSpite("success");
    await publish("queued");
    expect(statuses()).toEqual(["success", "queued"]);
    await publishInSpite("failure");
    await publish("failure");
    expect(statuses()).toEqual(["success", "failure"]);
  });

  it("makes the new one that was announced and never arrived", async () => {
    await publish("success");
    github.isDown = true;
    await publishInSpite("queued");
    github.isDown = false;
    await publish("queued");
    expect(statuses()).toEqual(["success", "queued"]);
  });

  it("takes a run that an earlier version of the app remembers for completed", async () => {
    await store().savePublication({ key: `check:${REPO}@${shaOf(7)}`, remoteId: "0", digest: "x" });
    github.made.push({
      repo: REPO,
      head: shaOf(7),
      name: "wavetrain",
      status: "success",
      title: "",
      summary: "",
    });
    await publish("queued");
    expect(statuses()).toEqual(["success", "queued"]);
  });
});

describe("readGreen", () => {
  const read = async (movedAt: number): Promise<boolean> => {
    const entry = anEntry({ changedAt: instant(movedAt) });
    const checked = [{ head: shaOf(7), story: { task: aTask(), entry } }];
    const green = await readGreen(REPO, checked as unknown as readonly Checked[], {
      store: store(),
    });
    return green.has(shaOf(7));
  };

  it("finds a green check whose entry has moved since it was written, and no other", async () => {
    await publish("success");
    expect(await read(NOW + 1)).toBe(true);
    expect(await read(NOW - 1)).toBe(false);
    await publish("queued");
    expect(await read(NOW + 1)).toBe(false);
  });
});
