import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { execa } from "execa";
import { describe, expect, it, onTestFinished } from "vitest";
import { stringify } from "yaml";
import { readControlFile } from "../../../src/control/control-file.ts";
import { bundledApp } from "../../support/bundle-app.ts";
import { skip } from "../../support/installed.ts";
import { World } from "../../support/world.ts";

const folders = (process.env.PATH ?? "").split(delimiter);
const hasTerminal =
  process.platform === "linux" && folders.some((folder) => existsSync(join(folder, "script")));
if (!hasTerminal) skip("script", "it makes a terminal, and is part of util-linux");

describe.runIf(hasTerminal)("wavetrain start on a terminal", () => {
  it("writes its log for people", async () => {
    const world = await World.create({ startApp: false });
    onTestFinished(() => world.close());
    const config = join(world.folder, "wavetrain.config.yml");
    await writeFile(config, stringify(world.operatorConfig()));
    const { appId, privateKey, webhookSecret } = world.identity;
    const env = {
      ...world.environment,
      APP_ID: String(appId),
      PRIVATE_KEY: privateKey,
      WEBHOOK_SECRET: webhookSecret,
    };
    const line = `exec node ${await bundledApp()} start --config ${config}`;
    const terminal = execa("script", ["-qfec", line, "/dev/null"], { env, stdin: "pipe" });
    const dataDir = join(world.folder, "app");
    let pid: number | undefined;
    await world.until("the server is announced", async () => {
      pid = (await readControlFile(dataDir))?.pid;
      return pid !== undefined;
    });
    if (pid !== undefined) process.kill(pid, "SIGTERM");
    const { stdout } = await terminal;
    expect(stdout).toMatch(/^\d\d:\d\d:\d\d INFO {2}app started {2}port=\d+ {2}repos=1\r?$/m);
    expect(stdout).toMatch(/INFO {2}app stopped/);
    expect(stdout).not.toContain(`"level"`);
  });
});
