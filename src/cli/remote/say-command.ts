import type { Command } from "commander";
import type { CommandReply } from "../../control/post-commands.ts";
import { AppError } from "../../shared/app-error.ts";
import { printable } from "../text/terminal-text.ts";
import type { ServerPlace } from "./data-folder.ts";
import { needServer } from "./find-server.ts";
import { remoteCommand } from "./remote-command.ts";
import { inRepo, repoOption, taskArgument, taskMeant } from "./task-target.ts";

interface SayOptions {
  readonly json?: true;
  readonly repo?: string;
}

interface Words {
  readonly name: "explain" | "retry" | "cancel" | "pause" | "resume";
  readonly description: string;
  readonly help: string;
}

const EXIT = `
Exit code: 0 when it was done; 1 when it was refused, or no server is running or answers; 2 for wrong options or folder.
`;

const ABOUT_TASKS: readonly Words[] = [
  {
    name: "explain",
    description: "say why a task is where it is, and what would change that",
    help: "Examples:\n  wavetrain explain 12\n  wavetrain explain acme/shop#12 --json",
  },
  {
    name: "retry",
    description: "have a task tried again; nothing that failed before counts",
    help: "Examples:\n  wavetrain retry 12\n  wavetrain retry acme/shop#12",
  },
  {
    name: "cancel",
    description: "stop a task; its pull request stays open",
    help: "Examples:\n  wavetrain cancel 12\n  wavetrain cancel 12 --repo acme/shop",
  },
];

const ABOUT_REPOSITORIES: readonly Words[] = [
  {
    name: "pause",
    description: "start nothing new and land nothing in a repository until it is resumed",
    help: "Examples:\n  wavetrain pause\n  wavetrain pause --repo acme/shop waiting for the release",
  },
  {
    name: "resume",
    description: "go on with a repository that was paused",
    help: "Examples:\n  wavetrain resume --repo acme/shop",
  },
];

/** Makes the commands that people also give in comments; the running server carries them out. */
export function sayCommands(): readonly Command[] {
  return [...ABOUT_TASKS.map(aboutTask), ...ABOUT_REPOSITORIES.map(aboutRepository)];
}

function aboutTask(words: Words): Command {
  return described(words, async (place, command) => {
    const options = command.opts<SayOptions>();
    await say(place, { say: words.name, ...taskMeant(command, options.repo) }, options);
  }).addArgument(taskArgument());
}

function aboutRepository(words: Words): Command {
  const made = described(words, async (place, command) => {
    const options = command.opts<SayOptions>();
    const reason = words.name === "pause" ? ` ${command.args.join(" ")}` : "";
    await say(place, { say: `${words.name}${reason}`.trim(), ...inRepo(options.repo) }, options);
  });
  return words.name === "pause" ? made.argument("[reason...]", "why, for those who wait") : made;
}

function described(
  { name, description, help }: Words,
  run: (place: ServerPlace, command: Command) => Promise<void>,
): Command {
  return remoteCommand(name, run)
    .description(description)
    .addOption(repoOption())
    .option("--json", "print it as JSON")
    .addHelpText("after", `${EXIT}\n${help}`);
}

async function say(
  { dataDir }: ServerPlace,
  query: Readonly<Record<string, string>>,
  { json }: SayOptions,
): Promise<void> {
  const server = await needServer(dataDir);
  const reply = (await (await server.tell("commands", query)).json()) as CommandReply;
  const words = reply.answer.map(printable).join("\n");
  if (json) console.log(JSON.stringify(reply, undefined, 2));
  if (reply.result !== "done") throw new AppError("server-refused", words);
  if (!json) console.log(words);
}
