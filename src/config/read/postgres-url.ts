import * as z from "zod";

/** Takes a database's address. It may hold a password: whoever reports the problem must not repeat the value. */
export function postgresUrl(problem: string) {
  return z.string().superRefine((text, context) => {
    if (isPostgresUrl(text)) return;
    context.addIssue({ code: "custom", message: problem, params: { secret: true } });
  });
}

/** Says whether the text of the value must be kept out of messages. */
export function isSecret(issue: z.core.$ZodIssue): boolean {
  return issue.code === "custom" && issue.params?.secret === true;
}

function isPostgresUrl(text: string): boolean {
  return URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol);
}
