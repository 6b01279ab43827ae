import { Command } from "commander";
import { readVariables } from "../../config/operator/env.ts";
import { AppError } from "../../shared/app-error.ts";
import { findPlace } from "./data-folder.ts";
import type { FolderOptions, ServerPlace } from "./data-folder.ts";

const FAILED = { exitCode: 1 };
const UNUSABLE = { exitCode: 2 };

/** Makes a command that finds the server's folder first; a failure of the world around it becomes one line. */
export function remoteCommand(
  name: string,
  run: (place: ServerPlace, command: Command) => Promise<void>,
): Command {
  return new Command(name)
    .option("--config <file>", "operator's file of the server")
    .option("--data-dir <folder>", "the server's folder, instead of the one that its file names")
    .action(async (...given: readonly unknown[]) => {
      // Commander passes the arguments first, then the options, and the command last.
      const command = given.at(-1) as Command;
      // An option that a command shares with the one above it is the upper one's.
      const options = command.optsWithGlobals<FolderOptions>();
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

/** When nobody reads the output any more, as after `| head`, there is nothing left to do. */
function endWithReader(): void {
  process.stdout.on("error", () => process.exit(0));
}
