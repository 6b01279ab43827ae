import { execa } from "execa";
import { describe, expect, it, onTestFinished } from "vitest";
import { hasProgram } from "../support/installed.ts";
import { startTlsFront } from "../support/tls-front.ts";
import { createTown } from "./town.ts";
import type { Town } from "./town.ts";

const hasGh = [hasProgram("gh"), hasProgram("openssl")].every(Boolean);

type Gh = (...args: string[]) => Promise<string>;

interface Desk {
  readonly town: Town;
  readonly folder: string;
  /** Runs GitHub's own command line as Bob, with nothing but his classic token. */
  readonly gh: Gh;
}

async function createDesk(): Promise<Desk> {
  // Its documents need not be as strict as ours: GitHub takes them.
  const town = await createTown({}, "lenient");
  const folder = await town.scratch();
  const front = await startTlsFront(town.github.url, folder);
  onTestFinished(() => front.close());
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: folder,
    GH_CONFIG_DIR: `${folder}/gh`,
    GH_HOST: front.host,
    GH_ENTERPRISE_TOKEN: town.github.addClassicToken("bob", ["repo", "read:org"]).token,
    GH_PROMPT_DISABLED: "1",
    GIT_SSL_CAINFO: front.certificate,
    SSL_CERT_FILE: front.certificate,
    NO_COLOR: "1",
  };
  const gh: Gh = async (...args) =>
    (await execa("gh", args, { cwd: folder, extendEnv: false, env })).stdout;
  return { town, folder, gh };
}

describe.runIf(hasGh)("GitHub's own command line", () => {
  it("makes, lists, shows and closes issues", async () => {
    const { town, gh } = await createDesk();
    const at = ["-R", "acme/app"];
    const made = await gh("issue", "create", "--title", "A title", "--body", "A text", ...at);
    expect(made).toBe(`${town.github.url}/acme/app/issues/1`);
    expect(await gh("issue", "list", ...at)).toMatch(/^1\tOPEN\tA title\t/);
    expect(await gh("issue", "view", "1", ...at)).toMatch(
      /title:\tA title\nstate:\tOPEN\nauthor:\tbob\n[^]*\nA text$/,
    );
    await gh("issue", "close", "1", ...at);
    expect(await gh("issue", "view", "1", ...at)).toContain("state:\tCLOSED");
    expect(await gh("issue", "list", ...at)).toBe("");
  });

  it("shows and clones a repository, and makes, shows and reviews pull requests", async () => {
    const { town, folder, gh } = await createDesk();
    expect(await gh("repo", "view", "acme/app")).toMatch(/^name:\tacme\/app\n[^]*# App\s*$/);
    await gh("repo", "clone", "acme/app", "copy");
    const copy = `${folder}/copy`;
    await town.git(copy, "checkout", "-q", "-b", "feature");
    await town.git(copy, "commit", "-q", "--allow-empty", "-m", "A change");
    const token = town.github.addClassicToken("bob", ["repo"]).token;
    await town.git(copy, "push", "-q", town.remote(token), "HEAD:refs/heads/feature");
    const at = ["-R", "acme/app"];
    const words = ["--title", "Change", "--body", "Why"];
    const made = await gh("pr", "create", ...words, "--head", "feature", ...at);
    expect(made).toBe(`${town.github.url}/acme/app/pull/1`);
    expect(await gh("pr", "view", "1", ...at)).toMatch(/title:\tChange\nstate:\tOPEN\n[^]*Why$/);
    expect(await gh("pr", "list", ...at)).toMatch(/^1\tChange\tfeature\tOPEN/);
    expect(await gh("pr", "status", ...at)).toMatch(/Created by you\n\s+#1\s+Change \[feature\]/);
    await gh("pr", "review", "1", "--comment", "--body", "Good", ...at);
    expect(await gh("pr", "view", "1", "--comments", ...at)).toMatch(/author:\tbob[^]*\nGood\n/);
  });
});
