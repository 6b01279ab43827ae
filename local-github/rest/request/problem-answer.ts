import { Problem } from "../../model/problem.ts";
import type { Answer } from "./route.ts";

const DOCUMENTATION = "https://docs.github.com/rest";

export function problemAnswer(problem: Problem): Answer {
  const { message, errors, status, headers } = problem;
  const body = {
    message,
    ...(errors === undefined ? {} : { errors }),
    documentation_url: DOCUMENTATION,
    ...(OWN_SHAPE.has(status) ? {} : { status: String(status) }),
  };
  return { status, headers, body };
}

/** Answers with the result of the work, or with the reason why it was refused. */
export async function orRefusal(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Problem) return problemAnswer(error);
    throw error;
  }
}

/** GitHub describes these answers without the member `status`. */
const OWN_SHAPE = new Set([405, 409, 422]);
