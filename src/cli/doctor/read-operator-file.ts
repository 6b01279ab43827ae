import { readFile } from "node:fs/promises";
import type { Overrides } from "../../config/operator/env.ts";
import { readOperatorConfig } from "../../config/operator/read-operator-config.ts";
import { problemLine } from "../../config/read/config-problem.ts";
import type { OperatorConfig } from "../../config/schema/operator-config.ts";
import { fail } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";

/** Reads the operator's file and lays the environment's settings over it; a failure has one line for each thing that is wrong. */
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
