#!/usr/bin/env node
import { Command } from "commander";
import { planCommand } from "./plan/plan-command.ts";

const USAGE = 2;

const program = new Command("wavetrain")
  .description(
    "Move cards to Ready; coding agents work in parallel, pull requests land one at a time.",
  )
  .addCommand(planCommand());

// Commander exits with 1 on a wrong option; here 1 means that the work failed.
for (const command of [program, ...program.commands]) {
  command.exitOverride(({ exitCode, code }) => {
    process.exit(exitCode === 1 && code.startsWith("commander.") ? USAGE : exitCode);
  });
}

await program.parseAsync();
