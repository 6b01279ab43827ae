import { beforeEach, describe, expect, it } from "vitest";
import { createNotices } from "../../../src/app/notices.ts";
import type { Intent } from "../../../src/domain/change.ts";
import { openTasks } from "../../../src/objectives/proposal/open-tasks.ts";
import type { Deps } from "../../../src/ports/deps.ts";
import type { IssueWriter, MadeIssue } from "../../../src/ports/issue-writer.ts";
import { AppError } from "../../../src/shared/app-error.ts";
import { aConfig } from "../../support/a-config.ts";
import { NOW, REPO } from "../../support/builders.ts";
import { TestLog } from "../../support/test-log.ts";
import { useStore } from "../../support/use-store.ts";

const PROPOSAL = {
  adr: { title: "One cart", context: "c", decision: "d", consequences: "e" },
  tasks: ["a", "b", "c"].map((id) => ({ id, title: `Do ${id}`, body: "w", files: [`${id}.txt`] })),
};
const CONTEXT = { repo: REPO, base: "main", config: aConfig() };
/** More than three tasks and their decision can ever need. */
const MAX_TICKS = 20;

/** A GitHub in memory that refuses for good, or is away for a while. */
class Hub {
  readonly titles: string[] = [];
  cards = 0;
  trouble: AppError | undefined;

  get writer(): IssueWriter {
    return {
      findMade: () => Promise.resolve(new Map()),
      createIssue: (_, { title }) => this.#create(title),
      addSubIssue: () => Promise.resolve(),
      blockersOf: () => Promise.resolve([]),
      addBlocker: () => Promise.resolve(),
      addCards: (_repo, _config, issues) => {
        this.cards += issues.length;
        return Promise.resolve();
      },
    };
  }

  #create(title: string): Promise<MadeIssue> {
    if (this.trouble !== undefined) return Promise.reject(this.trouble);
    this.titles.push(title);
    const number = 20 + this.titles.length;
    return Promise.resolve({ number, id: number, nodeId: `I_${number}` });
  }
}

const store = useStore(() => NOW);
let hub: Hub;
let notices: Deps["notices"];
beforeEach(() => {
  hub = new Hub();
  notices = createNotices(new TestLog());
});

async function open(proposal: unknown): Promise<Intent> {
  const intent: Intent = {
    key: "decompose:12",
    repo: REPO,
    kind: "decompose",
    subject: `${REPO}#12`,
    detail: { issue: 12, proposal: JSON.stringify(proposal) },
    openedAt: NOW,
  };
  await store().record(REPO, [{ kind: "intent-opened", intent }]);
  return intent;
}

function tick(intent: Intent): Promise<boolean> {
  const clock = { now: () => NOW, after: () => () => undefined };
  const deps = { clock, github: hub.writer, log: new TestLog(), notices, store: store() };
  return openTasks(CONTEXT, intent, deps as unknown as Deps);
}

async function openIntents(): Promise<number> {
  return (await store().readRepo(REPO)).intents.length;
}

describe("openTasks", () => {
  it("opens each issue once over as many ticks as it takes, puts them on the board and closes the record", async () => {
    const intent = await open(PROPOSAL);
    let ticks = 1;
    while (!(await tick(intent))) {
      ticks += 1;
      expect(await openIntents()).toBe(1);
      if (ticks > MAX_TICKS) throw new Error("it comes to no end");
    }
    expect(ticks).toBeGreaterThan(1);
    const tasks = hub.titles.filter((title) => title.startsWith("Do "));
    expect(tasks).toEqual(["Do a", "Do b", "Do c"]);
    expect([hub.cards, await openIntents()]).toEqual([hub.titles.length, 0]);
  });

  it("keeps the record while GitHub is away, and goes on with it", async () => {
    const intent = await open(PROPOSAL);
    hub.trouble = new AppError("github-unavailable", "away", { retryable: true, cause: undefined });
    await expect(tick(intent)).rejects.toMatchObject({ code: "github-unavailable" });
    expect(await openIntents()).toBe(1);
    hub.trouble = undefined;
    for (let ticks = 0; ticks < MAX_TICKS && !(await tick(intent)); ticks += 1);
    expect(new Set(hub.titles).size).toBe(hub.titles.length);
    expect(await openIntents()).toBe(0);
  });

  it("gives up with a notice when GitHub refuses for good", async () => {
    const intent = await open(PROPOSAL);
    hub.trouble = new AppError("github-refused", "issues are disabled", { cause: undefined });
    expect(await tick(intent)).toBe(true);
    expect(notices.of(REPO)).toEqual([`${REPO}#12: issues are disabled`]);
    expect(await openIntents()).toBe(0);
  });

  it("opens nothing of a proposal that the repository's limits forbid by now", async () => {
    const tasks = Array.from({ length: 200 }, (_, at) => ({
      id: `t${at}`,
      title: `T${at}`,
      body: "w",
      files: [`${at}.txt`],
    }));
    const intent = await open({ ...PROPOSAL, tasks });
    expect(await tick(intent)).toBe(true);
    expect([hub.titles, await openIntents()]).toEqual([[], 0]);
  });
});
