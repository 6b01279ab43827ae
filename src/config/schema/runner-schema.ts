import * as z from "zod";
import { runnerPlace } from "./pool-schema.ts";
import { promptProblem } from "./prompt-template.ts";
import { network } from "./sandbox-schema.ts";

export const PRESET_NAMES = ["codex", "claude", "opencode", "gemini", "copilot", "aider"] as const;

export type PresetName = (typeof PRESET_NAMES)[number];

/** No runner may ever see these variables. */
export const OWN_SECRETS: readonly string[] = [
  "PRIVATE_KEY",
  "PRIVATE_KEY_PATH",
  "WEBHOOK_SECRET",
  "DATABASE_URL",
  "PGPASSWORD",
  "PGPASSFILE",
  "PGSERVICEFILE",
];

export const variableName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: "expected the name of an environment variable" })
  .refine((variable) => !OWN_SECRETS.includes(variable), {
    error: "the app's own secrets are never given to a runner",
  });

const promptTemplate = z.string().superRefine((text, context) => {
  const problem = promptProblem(text);
  if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
});

/** A runner is one agent program: a preset that we know how to drive, or any shell command. */
export const runnerSchema = z
  .strictObject({
    preset: z
      .enum(PRESET_NAMES)
      .optional()
      .describe("An agent program that is known here; its command line follows from its name."),
    command: z
      .string()
      .min(1)
      .optional()
      .describe(
        "Instead of a preset: shell command that does one task; it gets the prompt on standard input.",
      ),
    model: z
      .string()
      .regex(/^[^-\s]\S*$/, { error: "expected the name of a model" })
      .optional()
      .describe("With a preset: the model to ask for; the program's own default if left out."),
    args: z
      .array(z.string())
      .default([])
      .describe("With a preset: further arguments for its program."),
    prompt: promptTemplate
      .optional()
      .describe(
        "What the runner is told, with `{{title}}`, `{{id}}`, `{{rules}}`, `{{task}}`, `{{taskFile}}` and `{{history}}` filled in.",
      ),
    slots: z.number().int().positive().default(2).describe("Runs of this runner at the same time."),
    ...runnerPlace,
    env: z
      .array(variableName)
      .default([])
      .describe("Names of the server's environment variables that the runner may see."),
    network: network(
      "What the runner may reach, and `verify` and the scores of its change: `open`, `none`, or a list of hosts, to which its preset's provider is added.",
    ),
  })
  .superRefine((runner, context) => {
    for (const problem of problemsOf(runner)) context.addIssue({ code: "custom", ...problem });
  });

interface Problem {
  readonly path: string[];
  readonly message: string;
}

function problemsOf(runner: {
  readonly preset?: string | undefined;
  readonly command?: string | undefined;
  readonly model?: string | undefined;
  readonly args: readonly string[];
}): readonly Problem[] {
  if (runner.preset !== undefined) {
    if (runner.command === undefined) return [];
    return [{ path: ["command"], message: "expected either a preset or a command, not both" }];
  }
  if (runner.command === undefined) {
    const message = `expected a command, or a preset (${PRESET_NAMES.join(", ")})`;
    return [{ path: ["command"], message }];
  }
  const message = "goes with a preset only; write it into the command";
  return [
    ...(runner.model === undefined ? [] : [{ path: ["model"], message }]),
    ...(runner.args.length === 0 ? [] : [{ path: ["args"], message }]),
  ];
}

export type RunnerConfig = z.infer<typeof runnerSchema>;
