import type { BranchRule, ClassicProtection } from "../../../local-github/model/rule.ts";
import { classicRules } from "../../../local-github/model/rule.ts";
import type { World } from "../../support/world.ts";

export const KINDS = ["classic protection", "a ruleset", "both"] as const;

/** Puts the same conditions on main by classic protection, by a ruleset, or by both. Ann may push all the same. */
export function guard(
  world: World,
  kind: (typeof KINDS)[number],
  options: ClassicProtection,
): void {
  if (kind !== "a ruleset") world.github.protect(world.repository, "main", options);
  if (kind === "classic protection") return;
  for (const rule of classicRules("main", options)) {
    const own = { classic: false, sparesAdmins: false, ...parametersOf(rule), ...mayPush(rule) };
    world.github.addRule(world.repository, { ...rule, ...own });
  }
}

function mayPush({ bypassLogins = [] }: Partial<BranchRule>): Pick<BranchRule, "bypassLogins"> {
  return { bypassLogins: ["ann", ...bypassLogins] };
}

/** Rulesets say more about reviews and checks than classic protection. */
function parametersOf({ type, parameters }: Pick<BranchRule, "type" | "parameters">) {
  if (type === "pull_request") {
    return { parameters: { ...parameters, required_review_thread_resolution: false } };
  }
  return {};
}
