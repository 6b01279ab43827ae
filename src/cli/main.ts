#!/usr/bin/env node
import { Command } from "commander";
import { readVariables } from "../config/operator/env.ts";
import { doctorCommand } from "./doctor/doctor-command.ts";
import { exploreCommand } from "./explore/explore-command.ts";
import { githubCommand } from "./github/github-command.ts";
import { importCommand } from "./import/import-command.ts";
import { logsCommand } from "./logs/logs-command.ts";
import { planCommand } from "./plan/plan-command.ts";
import { eventsCommand } from "./remote/events-command.ts";
import { runnersCommand } from "./remote/runners-command.ts";
import { sayCommands } from "./remote/say-command.ts";
import { statusCommand } from "./remote/status-command.ts";
import { rescueCommand } from "./rescue/rescue-command.ts";
import { setupCommand } from "./setup/setup-command.ts";
import { startCommand } from "./start/start-command.ts";
import { readVersion } from "./text/package-file.ts";
import { tryCommand } from "./try/try-command.ts";

const USAGE = 2;

// Each command imports what it works with when it is run: nobody who asks for a status waits for the store and GitHub's clients.
const program = new Command("wavetrain")
  .description(
    "Move cards to Ready; coding agents work in parallel, pull requests land one at a time.",
  )
  .version(await readVersion(), "--version", "print the version")
  .addCommand(startCommand())
  .addCommand(setupCommand())
  .addCommand(doctorCommand())
  .addCommand(tryCommand(readVariables()))
  .addCommand(exploreCommand(readVariables()))
  .addCommand(githubCommand())
  .addCommand(planCommand())
  .addCommand(importCommand())
  .addCommand(statusCommand())
  .addCommand(logsCommand())
  .addCommand(runnersCommand())
  .addCommand(eventsCommand())
  .addCommand(rescueCommand(readVariables()));
for (const command of sayCommands()) program.addCommand(command);

// Commander exits with 1 on a wrong option; here 1 means that the work failed.
const commands = program.commands.flatMap((command) => [command, ...command.commands]);
for (const command of [program, ...commands]) {
  command.exitOverride(({ exitCode, code }) => {
    process.exit(code === "commander.error" || exitCode === 0 ? exitCode : USAGE);
  });
}

await program.parseAsync();
