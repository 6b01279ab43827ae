import * as z from "zod";

/** The runner leaves its proposal here, in its workspace. */
export const PROPOSAL_PATH = ".wavetrain/proposal.json";
/** Fifty tasks with long texts need far less. */
export const MAX_PROPOSAL_BYTES = 2_000_000;

const words = (max: number, about: string) => z.string().trim().min(1).max(max).describe(about);
const line = (max: number, about: string) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .regex(/^[^\r\n]*$/, { error: "expected one line" })
    .describe(about);

const task = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, {
      error: "expected small letters, digits and hyphens, 40 at most",
    })
    .describe("A short name for the task, by which others depend on it."),
  title: line(200, "What is to be done, as the title of an issue."),
  body: words(20_000, "Everything that someone needs who knows nothing but the repository."),
  files: z
    .array(line(1024, "A path, a folder or a pattern such as `src/cart/**`."))
    .max(200)
    .default([])
    .describe(
      "What the task may change. `read: PATTERN` for what it relies on unchanged, `!PATTERN` for an exception.",
    ),
  dependsOn: z
    .array(z.string().min(1).max(40))
    .max(50)
    .default([])
    .describe("Ids of tasks that have to land first."),
  labels: z.array(line(50, "A label.")).max(10).default([]).describe("Only those listed above."),
  size: z.enum(["s", "m", "l", "xl"]).optional().describe("How much work to expect."),
});

/** Describes the proposal that a decomposing run writes. */
export const proposalSchema = z.strictObject({
  adr: z
    .strictObject({
      title: line(120, "The decision in one line."),
      context: words(10_000, "What is asked for, what is there, what limits the choice. Markdown."),
      decision: words(10_000, "What will be done, and why not otherwise. Markdown."),
      consequences: words(10_000, "What becomes easier, what becomes harder. Markdown."),
    })
    .describe("The architecture decision."),
  tasks: z.array(task).min(1).describe("The tasks, in a good order to read them."),
});

export type Proposal = z.infer<typeof proposalSchema>;
export type ProposedTask = Proposal["tasks"][number];

/** Describes the proposal to the runner, as JSON Schema. */
export function proposalJsonSchema(): string {
  return JSON.stringify(z.toJSONSchema(proposalSchema, { io: "input" }), null, 1);
}
