import { readFile, readdir } from "node:fs/promises";
import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { isSeq, parseDocument, isMap, isScalar } from "yaml";
import { EVENTS } from "../src/intake/events.ts";

/** What each permission of the App is for. A call that needs another one is added here and in the manifest together. */
const NEEDED: Readonly<Record<string, { readonly level: string; readonly by: readonly string[] }>> =
  {
    metadata: { level: "read", by: ["listReposAccessibleToInstallation"] },
    contents: { level: "write", by: ["getContent", "pulls.merge", 'contents: "write"'] },
    issues: { level: "write", by: ["issues.createComment", "issues.updateComment"] },
    pull_requests: { level: "write", by: ["pulls.create", "latestOpinionatedReviews"] },
    checks: { level: "write", by: ["checks.create", "checks.update"] },
    statuses: { level: "read", by: ["getCombinedStatusForRef"] },
    merge_queues: { level: "read", by: ["mergeQueue(branch: $branch)"] },
    organization_projects: { level: "write", by: ["projectV2(", "updateProjectV2ItemFieldValue"] },
  };

const ADAPTER = [
  "board-query",
  "branches",
  "connection",
  "create-github",
  "git-tokens",
  "landings",
  "open-pull-request",
  "project-board",
  "publishing",
  "pull-state",
  "reading-query",
  "repo-finder",
  "update-document",
  "verdicts",
];

const manifest = parseDocument(await readFile("app.yml", "utf8"));
const files = await readdir("src/adapters/github", { recursive: true });
const speaking = files.filter(
  (path) => path.endsWith(".ts") && ADAPTER.includes(basename(path, ".ts")),
);
const adapter = (
  await Promise.all(speaking.map((path) => readFile(`src/adapters/github/${path}`, "utf8")))
).join("\n");

describe("app.yml", () => {
  it("subscribes to exactly the events that wake a tick", () => {
    const { default_events: events } = manifest.toJS() as { default_events: string[] };
    expect(events.toSorted()).toEqual([...EVENTS].toSorted());
  });

  it("asks for exactly the permissions that some call needs", () => {
    const { default_permissions: asked } = manifest.toJS() as {
      default_permissions: Record<string, string>;
    };
    const needed = Object.entries(NEEDED).map(([name, { level }]) => [name, level]);
    expect(asked).toEqual(Object.fromEntries(needed));
  });

  it.each(Object.entries(NEEDED))(
    "asks for %s because a call is made that needs it",
    (_, { by }) => {
      for (const call of by) expect(adapter).toContain(call);
    },
  );

  it("gives the reason for every permission and every event", () => {
    const permissions = manifest.get("default_permissions");
    const events = manifest.get("default_events");
    if (!isMap(permissions) || !isSeq(events)) throw new Error("the manifest has another shape");
    const reasons = [
      ...permissions.items.map((pair) => (isScalar(pair.key) ? pair.key.commentBefore : undefined)),
      ...events.items.map((item) => (isScalar(item) ? item.commentBefore : undefined)),
    ];
    // The first member's comment belongs to the collection, as the parser sees it.
    reasons[0] ??= permissions.commentBefore;
    reasons[permissions.items.length] ??= events.commentBefore;
    for (const reason of reasons) expect(reason).toMatch(/\w{3}/);
  });
});

describe("tests", () => {
  it("are called proofs exactly when they ask how often to repeat themselves", async () => {
    const names = await readdir("test", { recursive: true });
    const tests = names.filter(
      (name) => name.endsWith(".test.ts") && name !== "architecture.test.ts",
    );
    const texts = await Promise.all(tests.map((name) => readFile(`test/${name}`, "utf8")));
    const proofs = tests.filter((_, at) =>
      /\/(?:proofs|share-of|further)\.ts"/.test(texts[at] ?? ""),
    );
    expect(proofs).toEqual(tests.filter((name) => name.endsWith(".proof.test.ts")));
    expect(proofs.length).toBeGreaterThan(10);
  });
});
