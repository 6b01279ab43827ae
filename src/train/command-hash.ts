import type { RepoConfig } from "../config/schema.ts";
import { digest } from "../shared/digest.ts";

/** Verdicts on a tree count only for the same commands and checks. */
export function commandHash({ setup, verify, train }: RepoConfig): string {
  const { checks, minVerifyTime } = train;
  return digest({ setup: setup ?? null, verify: verify ?? null, checks, minVerifyTime });
}
