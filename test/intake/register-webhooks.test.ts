import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Probot } from "probot";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStore } from "../../src/adapters/store/open-store.ts";
import { registerWebhooks } from "../../src/intake/register-webhooks.ts";
import type { Store } from "../../src/ports/store.ts";
import { NOW, OTHER_REPO, REPO } from "../support/builders.ts";

const CONFIG = ".github/wavetrain.yml";
let folder: string;
let store: Store;
let probot: Probot;
let woken: string[];
let reread: string[];
let named: string[];
let others: (string | undefined)[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "wavetrain-webhooks-"));
  store = await openStore({ path: folder, now: () => NOW });
  probot = new Probot({ githubToken: "unused", secret: "unused", logLevel: "fatal" });
  woken = [];
  reread = [];
  named = [];
  others = [];
  registerWebhooks(probot, {
    store,
    now: () => NOW,
    botLogin: "wavetrain[bot]",
    configPath: CONFIG,
    configChanged: ({ deliveryId }) => reread.push(deliveryId),
    defaultBranchNamed: (repo, branch) => named.push(`${repo} ${branch}`),
    unknownNamed: (repo) => woken.push(`${repo} unknown`),
    isInstalledOn: (repo) => repo === REPO || repo === OTHER_REPO,
    repoOfCard: () => undefined,
    isAwaited: (_, { name }) => name === "awaited",
    installationChanged: () => woken.push("installation"),
    repos: {
      watched: () => [REPO, OTHER_REPO],
      wake: (repo, reason) => woken.push(`${repo} ${reason}`),
    },
    wakeOthers: (repo) => others.push(repo),
  });
});

afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

async function deliver(id: string, sender: string, files: readonly string[] = []): Promise<void> {
  const payload = {
    repository: { full_name: "octo/app", default_branch: "trunk" },
    sender: { login: sender },
    commits: [{ modified: files }],
  };
  await probot.receive({ id, name: "push", payload } as unknown as Parameters<
    Probot["receive"]
  >[0]);
}

describe("registerWebhooks", () => {
  it("stores a delivery once and wakes once, however often it comes", async () => {
    for (let times = 0; times < 3; times += 1) await deliver("one", "ann");
    expect(woken).toEqual([`${REPO} github-changed`]);
    expect(others).toEqual([REPO]);
    expect(await store.unseenSignals()).toHaveLength(1);
  });

  it("looks at the list of repositories when one is told of that is not on it, or has moved", async () => {
    const repository = { full_name: "octo/new" };
    const told = [
      { id: "1", name: "issues", payload: { action: "opened", repository } },
      {
        id: "2",
        name: "repository",
        payload: { action: "renamed", repository: { full_name: REPO } },
      },
      {
        id: "3",
        name: "installation_target",
        payload: { action: "renamed", account: { login: "octo" } },
      },
    ];
    for (const one of told)
      await probot.receive(one as unknown as Parameters<Probot["receive"]>[0]);
    const looks = woken.filter((line) => !line.endsWith("github-changed"));
    expect(looks).toEqual(["octo/new unknown", "installation", "installation"]);
  });

  it("stores an echo of the app's own and wakes nobody", async () => {
    await deliver("echo", "wavetrain[bot]");
    expect(woken).toEqual([]);
    expect(await store.unseenSignals()).toHaveLength(1);
  });

  async function deliverCheck(name: string, conclusion: string, login = "ci[bot]"): Promise<void> {
    const pull_requests = [{ head: { ref: "wavetrain/1" } }];
    const payload = {
      action: "completed",
      check_run: { name, head_sha: "abc", conclusion, pull_requests },
      sender: { login },
      repository: { full_name: "octo/app" },
    };
    const delivery = { id: `${name} ${conclusion} ${login}`, name: "check_run", payload };
    await probot.receive(delivery as unknown as Parameters<Probot["receive"]>[0]);
  }

  it("is woken by somebody's check that fails on a pull request of ours, never by its own", async () => {
    await deliverCheck("lint", "failure", "wavetrain[bot]");
    expect(woken).toEqual([]);
    await deliverCheck("lint", "failure");
    expect(woken).toEqual([`${REPO} github-changed`]);
  });

  it("is woken by a check that succeeds only where a landing waits for it", async () => {
    await deliverCheck("lint", "success");
    expect(woken).toEqual([]);
    await deliverCheck("awaited", "success");
    expect(woken).toEqual([`${REPO} github-changed`]);
  });

  it("wakes every repository of the owner of a board, and nobody else's", async () => {
    const payload = { action: "edited", organization: { login: "octo" }, sender: { login: "ann" } };
    const delivery = { id: "card", name: "projects_v2_item", payload };
    await probot.receive(delivery as unknown as Parameters<Probot["receive"]>[0]);
    expect(woken).toEqual([REPO, OTHER_REPO].map((repo) => `${repo} github-changed`));
    expect(others).toEqual([undefined]);
  });

  it("has the repositories looked up again when the installation changes", async () => {
    const payload = { action: "added", organization: { login: "corp" }, sender: { login: "ann" } };
    const delivery = { id: "inst", name: "installation_repositories", payload };
    await probot.receive(delivery as unknown as Parameters<Probot["receive"]>[0]);
    expect(woken).toEqual(["installation"]);
  });

  it("hears how the default branch is called", async () => {
    await deliver("one", "ann");
    expect(named).toEqual(["octo/app trunk"]);
  });

  it("has the configuration read again when a push changes it, whoever pushed", async () => {
    await deliver("theirs", "ann", [CONFIG]);
    await deliver("ours", "wavetrain[bot]", [CONFIG]);
    await deliver("other", "ann", ["src/a.ts"]);
    expect(reread).toEqual(["theirs", "ours"]);
  });
});
