import * as z from "zod";

const repository = z
  .string()
  .regex(/^[^/\s]+\/[^/\s]+$/, { error: "expected a repository as owner/name" });

const access = z
  .strictObject({
    tokenVariable: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: "expected the name of a variable" })
      .optional()
      .describe("Variable of the server's environment that holds the token."),
    tokenFile: z
      .string()
      .min(1)
      .optional()
      .describe("File that holds the token; read at every use, so that it can be replaced."),
    repositories: z
      .array(repository)
      .default([])
      .describe(
        "Repositories besides the person's own that may have a project of theirs as board.",
      ),
  })
  .refine(
    ({ tokenVariable, tokenFile }) => (tokenVariable === undefined) !== (tokenFile === undefined),
    {
      error: "expected either tokenVariable or tokenFile",
    },
  );

/** No app can see a person's projects; a classic token of that person can. */
export const personalProjects = z
  .record(z.string().min(1), access)
  .default({})
  .describe(
    "People whose own projects may be boards (`board.kind: user-project`), by login, each with a classic token of theirs with the scope `project`, and `repo` for cards of private repositories. Nobody unless named here.",
  );

export type PersonalProjects = z.infer<typeof personalProjects>;

/** No runner may be given a token that opens somebody's projects. */
export function tokenProblems({
  runners,
  personalProjects: people,
}: {
  readonly runners: Readonly<Record<string, { readonly env: readonly string[] }>>;
  readonly personalProjects: PersonalProjects;
}): readonly { readonly path: string[]; readonly message: string }[] {
  const secret = new Set(Object.values(people).map(({ tokenVariable }) => tokenVariable));
  return Object.entries(runners).flatMap(([name, { env }]) =>
    env.some((variable) => secret.has(variable))
      ? [
          {
            path: ["runners", name, "env"],
            message: "a token of personalProjects is never given to a runner",
          },
        ]
      : [],
  );
}
