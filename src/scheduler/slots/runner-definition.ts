import type { OperatorConfig } from "../../config/schema/operator-config.ts";
import { digest } from "../../shared/digest.ts";

type Variables = Readonly<Record<string, string | undefined>>;

const DIGEST_LENGTH = 12;

/**
 * Returns a digest of each runner as it is configured: its program, its sandbox, and the values of its variables. Trouble of a runner belongs to
 * the definition that met it, so a new key or another path ends a pause without any word about it.
 */
export function definitionsOf(
  operator: Pick<OperatorConfig, "runners" | "sandbox" | "readable" | "container">,
  variables: Variables,
): ReadonlyMap<string, string> {
  const { sandbox, readable, container } = operator;
  const surroundings = { sandbox, readable, container, path: variables["PATH"] ?? "" };
  return new Map(
    Object.entries(operator.runners).map(([name, runner]) => {
      const { preset, command, model, args, env, network } = runner;
      const values = env.map((variable) => variables[variable] ?? "");
      const whole = { preset, command, model, args, env, network, values, ...surroundings };
      return [name, digest(whole).slice(0, DIGEST_LENGTH)];
    }),
  );
}
