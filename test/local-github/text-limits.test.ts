import { describe, expect, it } from "vitest";
import { branchSha } from "../../local-github/model/repository.ts";
import { at, createTown } from "./town.ts";
import type { Town } from "./town.ts";

const REPO = "/repos/acme/app";
const LONGEST = "x".repeat(65_536);
const TOO_LONG = { message: "Validation Failed" };

describe("the local GitHub", () => {
  it("refuses comments of more than 65,536 characters, and editing one to that", async () => {
    const town = await createTown();
    town.github.as("alice").openIssue({ repo: town.app, title: "T" });
    const path = `${REPO}/issues/1/comments`;
    const refused = await town.call("POST", path, { body: `${LONGEST}x` });
    expect(refused).toMatchObject({ status: 422, body: TOO_LONG });
    expect(at(refused.body, "errors", 0)).toMatchObject({
      resource: "IssueComment",
      message: "Body is too long (maximum is 65536 characters)",
    });
    const made = await town.call("POST", path, { body: LONGEST });
    expect(made.status).toBe(201);
    const comment = `${REPO}/issues/comments/${String(at(made.body, "id"))}`;
    expect((await town.call("PATCH", comment, { body: `${LONGEST}x` })).status).toBe(422);
  });

  it("refuses titles of more than 256 and bodies of more than 65,536 characters", async () => {
    const town = await createTown();
    const alice = town.github.as("alice");
    await alice.push(town.app, "work", { files: { "b.ts": "b\n" }, message: "b" });
    const issue = async (members: object) =>
      (await town.call("POST", `${REPO}/issues`, { title: "T", ...members })).status;
    expect(await issue({ title: "t".repeat(257) })).toBe(422);
    expect(await issue({ body: `${LONGEST}x` })).toBe(422);
    expect(await issue({ title: "t".repeat(256), body: LONGEST })).toBe(201);
    const pull = async (members: object) => {
      const wanted = { title: "T", head: "work", base: "main", ...members };
      return (await town.call("POST", `${REPO}/pulls`, wanted)).status;
    };
    expect(await pull({ title: "t".repeat(257) })).toBe(422);
    expect(await pull({ body: `${LONGEST}x` })).toBe(422);
    expect(await pull({})).toBe(201);
    expect((await town.call("PATCH", `${REPO}/pulls/2`, { body: `${LONGEST}x` })).status).toBe(422);
  });

  it.each<[string, object]>([
    ["a summary of too many characters", { output: output({ summary: LONGEST }) }],
    ["a summary of too many bytes", { output: output({ summary: "é".repeat(40_000) }) }],
    ["a text of too many characters", { output: output({ text: LONGEST }) }],
    ["too many annotations", { output: output({ annotations: annotations(51) }) }],
    ["a fourth action", { actions: [1, 2, 3, 4].map(() => ACTION) }],
    ["a long label", { actions: [{ ...ACTION, label: "l".repeat(21) }] }],
    ["a long description", { actions: [{ ...ACTION, description: "d".repeat(41) }] }],
    ["a long identifier", { actions: [{ ...ACTION, identifier: "i".repeat(21) }] }],
  ])("refuses a check run with %s", async (_, members) => {
    const town = await createTown();
    expect((await checkRun(town, members)).status).toBe(422);
  });

  it("adds the annotations of each call to those of before", async () => {
    const town = await createTown();
    const run = await checkRun(town, { output: output({ annotations: annotations(50) }) });
    const path = `${REPO}/check-runs/${String(at(run.body, "id"))}`;
    const more = { output: output({ annotations: annotations(10) }) };
    expect((await town.call("PATCH", path, more)).body).toMatchObject({
      output: { annotations_count: 60 },
    });
  });
});

const ACTION = { label: "Retry", description: "Again", identifier: "retry" };

function output(members: object): object {
  return { title: "T", summary: "S", ...members };
}

function annotations(count: number): readonly object[] {
  const one = { path: "README.md", start_line: 1, end_line: 1, annotation_level: "failure" };
  return Array.from({ length: count }, (_, index) => ({ ...one, message: `no. ${index}` }));
}

async function checkRun(town: Town, members: object) {
  const head = branchSha(town.app, "main");
  return town.call("POST", `${REPO}/check-runs`, { name: "verify", head_sha: head, ...members });
}
