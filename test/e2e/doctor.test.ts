import { generateKeyPairSync } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { examine } from "../../src/cli/doctor/examine.ts";
import type { Finding } from "../../src/doctor/decide/finding.ts";
import { renderSection } from "../../src/doctor/render-findings.ts";
import { repoName } from "../../src/domain/ids.ts";
import { findLastingPort } from "../support/lasting-port.ts";
import type { WorldOptions } from "../support/world-options.ts";
import { World } from "../support/world.ts";

const CAUSES = ["app", "clock", "installation", "repositories"];
const FAR_OFF = `board: { project: 1, columns: { ready: To do, blocked: Stuck } }
merge: merge
land: commit
train: { landing: fast-forward }
`;
const GOOD_FILE = { "README.md": "# shop\n", ".github/wavetrain.yml": "verify: npm test\n" };

let world: World;
afterEach(() => world.close());

async function create(options: WorldOptions = {}): Promise<void> {
  const operator = { repositories: {}, ...options.operator };
  world = await World.create({ files: GOOD_FILE, startApp: false, ...options, operator });
  world.github.setWebhookUrl("http://127.0.0.1:9/api/github/webhooks");
}

interface Wishes {
  readonly operator?: Readonly<Record<string, unknown>> | string;
  readonly variables?: Readonly<Record<string, string>>;
  readonly setup?: boolean;
  readonly only?: string;
}

async function writeConfig(operator: Wishes["operator"] = {}): Promise<string> {
  const config = join(world.folder, "wavetrain.config.yml");
  const text =
    typeof operator === "string" ? operator : stringify({ ...world.operatorConfig(), ...operator });
  await writeFile(config, text);
  return config;
}

function variables(): Record<string, string> {
  const { appId, privateKey, webhookSecret } = world.identity;
  return {
    PATH: process.env.PATH ?? "",
    AGENT_DIR: world.agentFolder,
    APP_ID: String(appId),
    PRIVATE_KEY: privateKey,
    WEBHOOK_SECRET: webhookSecret,
  };
}

/** The whole look in this process. */
async function look({ operator, only, setup = false, ...more }: Wishes = {}) {
  const config = await writeConfig(operator);
  const findings: Finding[] = [];
  const texts: string[] = [];
  const options = {
    config,
    setup,
    only: only === undefined ? undefined : repoName(only),
    variables: { ...variables(), ...more.variables },
    progress: () => undefined,
  };
  for await (const section of examine(options)) {
    findings.push(...section.findings);
    texts.push(renderSection(section));
  }
  // Nothing of it may ever show a secret.
  const text = inPlace(texts.join("\n\n"));
  expect(text).not.toContain(world.identity.webhookSecret);
  expect(text).not.toContain("PRIVATE KEY");
  return { findings, text };
}

/** With the same places and versions on every machine. */
function inPlace(text: string): string {
  return text
    .replaceAll(world.folder, "/srv")
    .replaceAll(/runner agent: \S*\/sh$/gm, "runner agent: /usr/bin/node")
    .replaceAll(world.github.url, "https://github.com")
    .replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:3000")
    .replaceAll(/\d+\.\d GB free/g, "80.0 GB free")
    .replaceAll(`Node ${process.versions.node}`, "Node 22.12.0")
    .replaceAll(/✓ git [\d.]+/g, "✓ git 2.47.1")
    .replaceAll(/installations\/\d+/g, "installations/1")
    .replaceAll(/process \d+/g, "process 4711")
    .replaceAll(/, in a user namespace without sudo|! what an agent leaves .*\n.*/g, (found) =>
      found.startsWith(",") ? "" : KEPT_TOGETHER,
    );
}

/** What a machine with PID namespaces says. */
const KEPT_TOGETHER =
  "✓ nothing that an agent starts outlives it: each command has a PID namespace";

function told(findings: readonly Finding[], ...levels: readonly string[]): readonly string[] {
  return findings.flatMap(({ level, message, fix }) =>
    levels.includes(level) ? [inPlace(`${message} → ${fix ?? ""}`)] : [],
  );
}

describe("wavetrain doctor", () => {
  it("finds everything in order beside a running server, and makes what is missing once", async () => {
    await create({ fields: [{ name: "wave", dataType: "TEXT" }] });
    await world.startApp();
    world.github
      .as("ann")
      .openIssue({ repo: world.repository, title: "One", body: "", labels: [] });
    await world.settle();
    const before = await look();
    expect(await readFile("docs/setup.md", "utf8")).toContain(before.text);
    const first = await look({ setup: true });
    expect(
      first.findings.filter(({ check }) => check === "setup").map(({ message }) => message),
    ).toEqual([
      ...["Runner (text)", "Attempt (number)", "Cost (number)", "Reason (text)"].map(
        (field) => `made the field ${field} of the project`,
      ),
      ...[
        "parallel-safe",
        "exclusive",
        "priority:high",
        "priority:low",
        "explore",
        "objective",
      ].map((label) => `made the label ${label} in acme/shop`),
    ]);
    const columns = world.project.fields.find(({ name }) => name === "Status")?.options;
    const again = await look({ setup: true });
    expect(again.findings.filter(({ check }) => check === "setup")).toEqual([]);
    const doubtful = again.findings.filter(
      // Whether there are namespaces is the machine's affair.
      ({ level, check }) => level !== "ok" && check !== "processes",
    );
    expect(doubtful.map(({ check }) => check)).toEqual(["sandbox"]);
    expect(world.project.fields.find(({ name }) => name === "Status")?.options).toEqual(columns);
  });

  it("names everything that is wrong at once, each with what to do", async () => {
    await create({
      files: { "README.md": "# shop\n", ".github/wavetrain.yml": FAR_OFF },
      without: "merge_queues",
    });
    Object.assign(world.repository, { isPrivate: false });
    const { world: state } = world.github;
    state.app.permissions = { ...state.installations[0]!.permissions, merge_queues: "read" };
    state.app.events = state.installations[0]!.events.filter((event) => event !== "push");
    world.github.addRule(world.repository, { type: "pull_request", branch: "main" });
    world.github.addRule(world.repository, { type: "required_linear_history", branch: "main" });
    await world.github.deliverySettled();
    const runners = {
      claude: { preset: "claude", env: ["ANTHROPIC_API_KEY"] },
      gone: { command: "no-such-agent --do" },
    };
    const dataDir = join(world.folder, "a-file");
    await writeFile(dataDir, "");
    const { findings } = await look({
      operator: { runners, dataDir, minFreeDisk: "999999GB" },
      variables: { PATH: join(world.folder, "nowhere") },
    });
    expect(told(findings, "problem", "warning", "skipped")).toMatchSnapshot();
    expect(
      findings.every(
        ({ level, fix }) => (level === "problem" || level === "warning") === (fix !== null),
      ),
    ).toBe(true);
  });

  it("says which line of a file is wrong, and what it therefore did not look at", async () => {
    await create({ files: { "README.md": "", ".github/wavetrain.yml": "verfy: npm test\n" } });
    await world.github.deliverySettled();
    const inFile = await look();
    expect(told(inFile.findings, "problem", "skipped").slice(1)).toMatchInlineSnapshot(`
      [
        ".github/wavetrain.yml:1:1: verfy: unknown key; did you mean verify? → put it right on the default branch of acme/shop; docs/configuration.md lists every key",
        "board, labels and rules: once .github/wavetrain.yml can be used → ",
      ]
    `);
    const inConfig = await look({ operator: "slots: many\n" });
    expect(told(inConfig.findings, "problem", "skipped")).toMatchInlineSnapshot(`
      [
        "/srv/wavetrain.config.yml:1:1: runners: expected a group of keys; it is missing → put it right in /srv/wavetrain.config.yml; docs/configuration.md lists every key",
        "/srv/wavetrain.config.yml:1:8: slots: expected a number; found "many" → put it right in /srv/wavetrain.config.yml; docs/configuration.md lists every key",
        "data folder, store, sandbox and runners: once /srv/wavetrain.config.yml can be used → ",
        "the app and its repositories: once /srv/wavetrain.config.yml can be used → ",
      ]
    `);
    const empty = await look({ operator: "", variables: { APP_ID: "", PRIVATE_KEY: "x" } });
    expect(told(empty.findings, "problem", "skipped")).toMatchInlineSnapshot(`
      [
        "/srv/wavetrain.config.yml:1:1: runners: expected a group of keys; it is missing → put it right in /srv/wavetrain.config.yml; docs/configuration.md lists every key",
        "APP_ID is not set → it is the number on the app's settings page; or let \`wavetrain setup\` make the app",
        "PRIVATE_KEY is neither a PEM text, nor its base64, nor the path of a readable file → see docs/setup.md",
        "data folder, store, sandbox and runners: once /srv/wavetrain.config.yml can be used → ",
        "the app and its repositories: once /srv/wavetrain.config.yml can be used → ",
      ]
    `);
  });

  it("tells a wrong key, a silent GitHub, a clock and missing installations apart", async () => {
    await create();
    const said = async (wishes: Wishes): Promise<string | undefined> =>
      told(
        (await look(wishes)).findings.filter(({ check }) => CAUSES.includes(check)),
        "problem",
        "warning",
      )[0];
    const other = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
    const PRIVATE_KEY = other.export({ type: "pkcs1", format: "pem" }).toString();
    expect(await said({ variables: { PRIVATE_KEY } })).toMatchInlineSnapshot(
      `"GitHub does not accept the key for app 7 → APP_ID and PRIVATE_KEY must be of one app: generate a new key on its settings page"`,
    );
    expect(await said({ variables: { APP_ID: "8" } })).toMatchInlineSnapshot(
      `"GitHub does not accept the key for app 8 → APP_ID and PRIVATE_KEY must be of one app: generate a new key on its settings page"`,
    );
    const port = await findLastingPort();
    const github = {
      ...(world.operatorConfig()["github"] as object),
      apiUrl: `http://127.0.0.1:${port}`,
    };
    expect(await said({ operator: { github } })).toMatchInlineSnapshot(
      `"http://127.0.0.1:3000 did not answer: ECONNREFUSED → check the network, HTTPS_PROXY and github.apiUrl, and look at githubstatus.com"`,
    );
    expect(await said({ only: "acme/other" })).toMatchInlineSnapshot(
      `"the app is not installed on acme/other → add it on the installation's page; it is installed on acme/shop"`,
    );
    Object.assign(world.github.world, { now: () => Date.now() + 600_000 });
    expect(await said({})).toMatchInlineSnapshot(
      `"this machine's clock is 10 min behind GitHub's → set it, best by NTP: signatures and waits depend on it"`,
    );
    Object.assign(world.github.world, { now: Date.now });
    const { installations } = world.github.world;
    world.github.suspend(installations[0]!);
    expect(await said({})).toMatchInlineSnapshot(
      `"acme has suspended the app → let its owner unsuspend it on https://github.com/organizations/acme/settings/installations/1"`,
    );
    installations.length = 0;
    expect(await said({})).toMatchInlineSnapshot(
      `"the app is installed nowhere → install it: https://github.com/apps/wavetrain/installations/new"`,
    );
  });
});
