import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { gitEnvironment } from "../../../../src/adapters/git/run/git-environment.ts";
import { callGit } from "../../../../src/adapters/git/run/run-git.ts";

const HOST = { PATH: process.env.PATH ?? "" };
const PLACE = { cwd: tmpdir(), env: gitEnvironment({ host: HOST, home: tmpdir() }) };

describe("a typed call of git", () => {
  it("fails like any other: by the command's name, without secrets, and for now or for good", async () => {
    const place = { ...PLACE, secrets: ["s3cret"], retryable: true };
    const failed = callGit(place, (git) => git.listRemote(["/nowhere/s3cret"]));
    await expect(failed).rejects.toMatchObject({
      code: "git-failed",
      message: "git ls-remote failed",
      retryable: true,
      cause: { message: expect.stringMatching(/\/nowhere\/\*\*\*/) as string },
    });
  });

  it("fails when git prints nothing but says so by its exit code", async () => {
    const failed = callGit(PLACE, (git) =>
      git.diff(["--no-index", "--quiet", "/dev/null", "/bin/sh"]),
    );
    await expect(failed).rejects.toMatchObject({ message: "git diff failed" });
  });
});
