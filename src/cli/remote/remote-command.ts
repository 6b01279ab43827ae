import { Command } from "commander";
import { readVariables } from "../../config/env.ts";
import { AppError } from "../../shared/app-error.ts";
import type { FolderOptions, ServerPlace } from "./data-folder.ts";
import { findPlace } from "./data-folder.ts";

const FAILED = { exitCode: 1 };
const UNUSABLE = { exitCode: 2 };

/** A command about the server whose folder it finds; what the world does against it becomes one line. */
export function remoteCommand(
  name: string,
  run: (place: ServerPlace, command: Command) => Promise<void>,
): Command {
  return new Command(name)
    .option("--config <file>", "operator's file of the server")
    .option("--data-dir <folder>", "the server's folder, instead of the one that its file names")
    .action(async (...given: readonly unknown[]) => {
      // Arguments come first, as many as the command has.
      const command = given.at(-1) as Command;
      const options = command.opts<FolderOptions>();
      const place = await findPlace(options, readVariables());
      if (!place.ok) return command.error(`error: ${place.error}`, UNUSABLE);
      endWithReader();
      try {
        await run(place.value, command);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        command.error(`error: ${error.message}`, FAILED);
      }
    });
}

/** Nobody reads any more, as after `| head`: there is nothing left to do. */
function endWithReader(): void {
  process.stdout.on("error", () => process.exit(0));
}
