import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";

const schema = z.object({
  labels: z.array(z.string()).default([]),
  body: z.array(
    z.object({
      type: z.enum(["textarea", "input", "markdown"]),
      id: z.string().optional(),
      attributes: z.object({
        label: z.string().optional(),
        placeholder: z.string().optional(),
        render: z.string().optional(),
      }),
    }),
  ),
});

export interface IssueForm {
  readonly labels: readonly string[];
  /** Returns what the field shows while it is empty. */
  readonly placeholder: (id: string) => string;
  /** Returns the issue's text as GitHub writes it from the answers. */
  readonly submitted: (answers: Readonly<Record<string, string>>) => string;
}

export function issueForm(name: string): IssueForm {
  const { body, labels } = schema.parse(
    parse(readFileSync(`.github/ISSUE_TEMPLATE/${name}.yml`, "utf8")),
  );
  return {
    labels,
    placeholder: (wanted) => body.find(({ id }) => id === wanted)?.attributes.placeholder ?? "",
    submitted: (answers) =>
      body
        .filter(({ type }) => type !== "markdown")
        .map(({ id = "", attributes: { label = "", render } }) => {
          const answer = answers[id] ?? "";
          if (render !== undefined) return `### ${label}\n\n\`\`\`${render}\n${answer}\n\`\`\``;
          return `### ${label}\n\n${answer === "" ? "_No response_" : answer}`;
        })
        .join("\n\n"),
  };
}
