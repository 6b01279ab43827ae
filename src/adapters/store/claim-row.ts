import type { Claim } from "../../domain/claim.ts";
import type { ClaimHold } from "../../domain/claim-hold.ts";
import type { RepoName, TaskId } from "../../domain/ids.ts";
import { canonicalJson } from "./canonical-json.ts";

/** A task holds its claims once: the row's id is the task's. */
export type ClaimRow = Omit<ClaimHold, "task" | "claims"> & {
  readonly id: TaskId;
  readonly repo: RepoName;
  readonly claims: string;
};

/** How many times claims were taken or extended in a repository. */
export interface FenceRow {
  readonly id: RepoName;
  readonly fence: number;
}

export function claimRow(repo: RepoName, { task, claims, ...members }: ClaimHold): ClaimRow {
  return { ...members, id: task, repo, claims: canonicalJson(claims) };
}

export function holdFromRow({ id, run, claims, fence, takenAt }: ClaimRow): ClaimHold {
  return { task: id, run, claims: claimsFrom(claims), fence, takenAt };
}

export function claimsFrom(text: string): readonly Claim[] {
  return JSON.parse(text) as readonly Claim[];
}
