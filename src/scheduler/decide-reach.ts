import type { Claim } from "../domain/claim/claim.ts";
import { knownDirectory } from "../domain/claim/compile-pattern.ts";
import { areaBelow, isInside, lfsRuleFor, writtenPaths } from "../domain/claim/out-of-reach.ts";
import type { WrittenPaths } from "../domain/claim/out-of-reach.ts";
import { ownerOf } from "../domain/ids.ts";
import type { Blocked } from "../domain/plan.ts";
import type { Task } from "../domain/task.ts";
import type { SchedulerSnapshot } from "./snapshot.ts";

type Cause = Blocked["cause"];
type Reach = Pick<SchedulerSnapshot, "context" | "directories" | "outOfReach">;

const WORKFLOWS = areaBelow(".github/workflows");

/** Says of each task why a run could not do it, whoever is paid for it: a claim is wholly inside of what no run can change. */
export function unreachableIn(snapshot: Reach): (task: Task) => Cause | undefined {
  const { context, directories, outOfReach } = snapshot;
  const isDirectory = knownDirectory(directories);
  const submodules = (outOfReach?.submodules ?? []).map((path) => ({
    path,
    area: areaBelow(path),
  }));
  const ruleFor = lfsRuleFor(outOfReach?.lfs ?? []);
  const isPlain = submodules.length === 0 && (outOfReach?.lfs ?? []).length === 0;
  const causeOf = (written: WrittenPaths): Cause | undefined => {
    const { pattern } = written.claim;
    if (context.mayWriteWorkflows === false && isInside(written, WORKFLOWS))
      return workflowCause(pattern, ownerOf(context.repo));
    const submodule = submodules.find(({ area }) => isInside(written, area));
    if (submodule !== undefined) return submoduleCause(submodule.path);
    const rule = ruleFor(written);
    return rule && lfsCause(pattern, rule.pattern);
  };
  return ({ spec: { claims } }) => {
    // Whoever changes what is a submodule, or what Git LFS keeps, knows what they do.
    if (claims.some(changesReach)) return undefined;
    // Claims are expanded for this only where something could come of it.
    if (isPlain && !claims.some(mayBeWorkflow)) return undefined;
    for (const written of writtenPaths(claims, isDirectory)) {
      const cause = causeOf(written);
      if (cause !== undefined) return cause;
    }
    return undefined;
  };
}

function changesReach({ mode, pattern }: Claim): boolean {
  return mode === "write" && /(?:^|\/)\.git(?:modules|attributes)$/.test(pattern);
}

function mayBeWorkflow({ pattern }: { readonly pattern: string }): boolean {
  return pattern.toLowerCase().includes("workflows");
}

function workflowCause(pattern: string, owner: string): Cause {
  const reason = `${pattern} is for workflows, and the app lacks the permission workflows: write: add it in the app's settings on GitHub and accept it for ${owner}, or leave the file to a person`;
  return { code: "no-permission", reason };
}

function submoduleCause(path: string): Cause {
  const reason = `${path} is a submodule: a run here cannot change what is inside; change it in its own repository`;
  return { code: "out-of-reach", reason };
}

function lfsCause(pattern: string, rule: string): Cause {
  const reason = `${pattern} is kept by Git LFS (${rule}): a run sees only pointers, and what it wrote would land as plain files; install git-lfs on the server, or leave it to a person`;
  return { code: "out-of-reach", reason };
}
