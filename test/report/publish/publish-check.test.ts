import { beforeEach, describe, expect, it } from "vitest";
import type { Deps } from "../../../src/ports/deps.ts";
import type { CheckReport } from "../../../src/ports/github.ts";
import { publishCheckText } from "../../../src/report/publish/publish-check.ts";
import { AppError } from "../../../src/shared/app-error.ts";
import { createKeyedQueue } from "../../../src/shared/keyed-queue.ts";
import { aConfig } from "../../support/a-config.ts";
import { NOW, REPO, aTask, shaOf } from "../../support/builders.ts";
import { TestLog } from "../../support/test-log.ts";
import { useStore } from "../../support/use-store.ts";

const CONTEXT = { repo: REPO, base: "main", config: aConfig() };
const store = useStore(() => NOW);

/** The check runs of a commit on a GitHub whose answers may get lost. */
class Checks {
  readonly made: CheckReport[] = [];
  losesAnswers = false;

  findCheck(): Promise<string | undefined> {
    return Promise.resolve(this.made.length === 0 ? undefined : "0");
  }

  createCheck(report: CheckReport): Promise<string> {
    this.made.push(report);
    const lost = new AppError("github-unavailable", "no answer", { retryable: true });
    return this.losesAnswers ? Promise.reject(lost) : Promise.resolve(String(this.made.length - 1));
  }

  updateCheck(id: string, report: CheckReport): Promise<void> {
    this.made[Number(id)] = report;
    return Promise.resolve();
  }
}

let github: Checks;
beforeEach(() => {
  github = new Checks();
});

function publish(title: string): Promise<boolean> {
  const deps = { github, log: new TestLog(), store: store(), publishing: createKeyedQueue() };
  const text = { status: "failure", title, summary: "" } as const;
  const said = { task: aTask().id, head: shaOf(7), text };
  return publishCheckText(CONTEXT, said, deps as unknown as Deps);
}

describe("publishCheckText", () => {
  it("makes a check run once, and none again after the answer was lost", async () => {
    github.losesAnswers = true;
    await expect(publish("one")).rejects.toThrow("no answer");
    github.losesAnswers = false;
    await publish("one");
    await publish("two");
    expect(github.made.map(({ title }) => title)).toEqual(["two"]);
  });
});
