import type { Publication } from "../../ports/store.ts";

/**
 * Remembers the check run of one commit. GitHub lets no completed run go back, so it also says whether the run is completed, and every
 * write is announced before it is sent: after a lost answer the run counts as written, until it is looked for.
 */
export interface CheckMark {
  /** `making` and `updating` announce a write; `refused` means that GitHub does not take this version. */
  readonly step: "making" | "updating" | "done" | "refused";
  /** It is empty while the run is being made. */
  readonly id: string;
  /** The commit's newest run had this id before another was announced. It is empty if there was none. */
  readonly after: string;
  readonly completed: boolean;
  readonly version: string;
  /** It was written down at this time. */
  readonly at: number;
}

/** A mark that cannot be read counts as none. */
export function markFrom(known: Publication | undefined): CheckMark | undefined {
  if (known === undefined) return undefined;
  const { remoteId: id, digest } = known;
  const [word, end, version = "", time, after = ""] = digest.split(" ");
  const step = STEPS.find((one) => one === word);
  if (step === undefined) return undefined;
  return { step, id, after, completed: end === COMPLETED, version, at: Number(time) };
}

export function publicationOf(key: string, mark: CheckMark): Publication {
  const { step, id, completed, version, at, after } = mark;
  return {
    key,
    remoteId: id,
    digest: [step, completed ? COMPLETED : OPEN, version, at, after].join(" "),
  };
}

const STEPS = ["making", "updating", "done", "refused"] as const;
const COMPLETED = "completed";
const OPEN = "open";
