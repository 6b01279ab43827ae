import { readFile } from "node:fs/promises";
import { problemLine } from "../../config/config-problem.ts";
import type { Overrides } from "../../config/env.ts";
import { readOperatorConfig } from "../../config/read-operator-config.ts";
import type { OperatorConfig } from "../../config/schema.ts";
import type { Result } from "../../shared/result.ts";
import { fail } from "../../shared/result.ts";

/** The operator's file with what the environment says laid over it, or one line for each thing that is wrong. */
export async function readOperatorFile(
  file: string,
  overrides: Overrides,
): Promise<Result<OperatorConfig, readonly string[]>> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    const missing = error instanceof Error && "code" in error && error.code === "ENOENT";
    return fail([`${file}: ${missing ? "there is no such file" : "cannot be read"}`]);
  }
  const read = readOperatorConfig({ text, file }, overrides);
  return read.ok ? read : fail(read.error.map(problemLine));
}
