import * as z from "zod";

const name = z.union([z.string().trim().min(1).max(200), z.number().int()], {
  error: "expected a name or a whole number",
});
const words = z.string().max(60_000);
const names = z.array(name, { error: "expected a list of ids" });
const paths = z.array(z.string().trim().min(1).max(1024));

const subtask = z.looseObject({
  id: name
    .optional()
    .describe("By which other subtasks depend on it; its place in the phase if left out."),
  title: words
    .optional()
    .describe("Title of the issue; the first line of the description if left out."),
  name: words.optional().describe("The same as `title`."),
  description: words.optional().describe("What is to be done. Markdown."),
  files: paths
    .optional()
    .describe("Patterns that it may change; `read: PATTERN` and `!PATTERN` work as in an issue."),
  files_to_modify: paths.optional().describe("Added to `files`."),
  files_to_create: paths.optional().describe("Added to `files`."),
  depends_on: names.optional().describe("Ids of subtasks that have to land first, of any phase."),
  dependsOn: names.optional().describe("The same as `depends_on`."),
  labels: z.array(z.string().trim().min(1).max(50)).optional().describe("Labels of the issue."),
  size: z.enum(["s", "m", "l", "xl"]).optional().describe("How much work to expect."),
  status: z.string().optional().describe("`completed` or `done`: it is left out."),
});

const subtasks = z.array(subtask);

const phase = z.looseObject({
  id: name.optional().describe("By which other phases depend on it."),
  phase: name
    .optional()
    .describe("Its number, which is another name for it; its place in the list if left out."),
  title: words.optional().describe("Title of the parent issue."),
  name: words.optional().describe("The same as `title`."),
  description: words.optional().describe("What the phase is about. Markdown."),
  parallel_safe: z
    .boolean()
    .optional()
    .describe("Its subtasks may run beside others, as far as their files allow."),
  parallelSafe: z.boolean().optional().describe("The same as `parallel_safe`."),
  depends_on: names
    .optional()
    .describe("Ids, numbers or names of phases that have to be done first."),
  dependsOn: names.optional().describe("The same as `depends_on`."),
  subtasks: subtasks.optional().describe("Its tasks; each becomes a sub-issue."),
  tasks: subtasks.optional().describe("The same as `subtasks`."),
  chunks: subtasks.optional().describe("The same as `subtasks`."),
});

/** A plan of phases and subtasks. Keys that are not named here mean nothing and are left alone. */
export const planFileSchema = z.looseObject({
  id: name
    .optional()
    .describe("Tells this plan from others; its name or its file's name if left out."),
  name: words.optional().describe("What the plan is for."),
  title: words.optional().describe("The same as `name`."),
  feature: words.optional().describe("The same as `name`."),
  phases: z.array(phase).min(1).describe("Each becomes a parent issue."),
});

export type PlanFile = z.infer<typeof planFileSchema>;
export type PlanPhase = PlanFile["phases"][number];
export type PlanSubtask = z.infer<typeof subtask>;

/** Describes the file to editors. */
export function planFileJsonSchema(): object {
  return z.toJSONSchema(planFileSchema.meta({ title: "Wavetrain: a plan to import" }), {
    io: "input",
  });
}
