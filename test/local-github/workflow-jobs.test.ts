import { describe, expect, it } from "vitest";
import { beginJob, endJob } from "../../local-github/actions/workflow-jobs.ts";
import { branchSha } from "../../local-github/model/repository.ts";
import { at, createTown } from "./town.ts";
import type { Town } from "./town.ts";

const REPO = "/repos/acme/app";
const STEPS = [
  { name: "Run npm ci", lines: ["##[group]Run npm ci", "added 12 packages"] },
  {
    name: "Run npm test",
    conclusion: "failure",
    lines: ["##[group]Run npm test", "1 failed", "##[error]Process completed with exit code 1."],
  },
] as const;
const ANNOTATION = {
  path: ".github",
  startLine: 5,
  level: "failure",
  message: "Process completed with exit code 1.",
};

function failJob({ github, app }: Town): string {
  const headSha = branchSha(app, "main") ?? "";
  const job = { name: "test", headSha, steps: STEPS, annotations: [ANNOTATION] };
  return String(endJob(github.world, app, job).run.id);
}

describe("a job of GitHub Actions", () => {
  it("is queued, at work and ended in one check run", async () => {
    const town = await createTown();
    const { world } = town.github;
    const headSha = branchSha(town.app, "main") ?? "";
    const run = beginJob(world, town.app, { name: "test", headSha, status: "queued" });
    const shown = async () => (await town.call("GET", `${REPO}/check-runs/${run.id}`)).body;
    expect(await shown()).toMatchObject({ status: "queued", conclusion: null });
    endJob(world, town.app, { name: "test", headSha, run, steps: STEPS });
    expect(await shown()).toMatchObject({ status: "completed", conclusion: "failure" });
  });

  it("has the id of its check run, which has annotations and no words", async () => {
    const town = await createTown();
    const id = failJob(town);
    const run = await town.call("GET", `${REPO}/check-runs/${id}`);
    expect(run.body).toMatchObject({
      conclusion: "failure",
      app: { slug: "github-actions" },
      output: { title: null, summary: null, text: null, annotations_count: 1 },
    });
    const job = await town.call("GET", `${REPO}/actions/jobs/${id}`);
    expect(job.body).toMatchObject({ id: Number(id), steps: [{ conclusion: "success" }, {}] });
    expect(at(job.body, "steps", 1)).toMatchObject({ name: "Run npm test", conclusion: "failure" });
    const annotations = await town.call("GET", `${REPO}/check-runs/${id}/annotations`);
    expect(at(annotations.body, 0)).toMatchObject({ path: ".github", annotation_level: "failure" });
  });

  it("is hidden from a token without the permission for Actions", async () => {
    const town = await createTown();
    const id = failJob(town);
    const auth = await town.token({ permissions: { checks: "read" } });
    for (const path of [`/actions/jobs/${id}`, `/actions/jobs/${id}/logs`]) {
      const reply = await town.ask("GET", `${REPO}${path}`, { auth });
      expect(reply.status).toBe(403);
      expect(reply.headers.get("x-accepted-github-permissions")).toBe("actions=read");
    }
    expect((await town.ask("GET", `${REPO}/check-runs/${id}/annotations`, { auth })).status).toBe(
      200,
    );
  });

  it("has a log behind an address that needs no token and opens it for a minute", async () => {
    let now = Date.now();
    const town = await createTown({ now: () => now });
    const id = failJob(town);
    const auth = await town.token();
    const link = await fetch(`${town.github.url}${REPO}/actions/jobs/${id}/logs`, {
      headers: { authorization: `Bearer ${auth}` },
      redirect: "manual",
    });
    expect(link.status).toBe(302);
    const address = link.headers.get("location") ?? "";
    const log = await (await fetch(address)).text();
    expect(log).toMatch(/^\S+T\S+\.\d{7}Z ##\[group\]Run npm ci$/m);
    expect(log).toContain("Z 1 failed\n");
    const withToken = await fetch(address, { headers: { authorization: `Bearer ${auth}` } });
    expect(withToken.status).toBe(400);
    now += 61_000;
    expect((await fetch(address)).status).toBe(403);
  });
});
