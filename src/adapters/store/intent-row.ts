import type { Intent } from "../../domain/change.ts";
import { canonicalJson } from "./canonical-json.ts";

/** Only open intents have a row; how one ended is in its event. */
export type IntentRow = Omit<Intent, "key" | "detail"> & {
  readonly id: string;
  readonly detail: string;
};

export function intentRow({ key, detail, ...members }: Intent): IntentRow {
  return { ...members, id: key, detail: canonicalJson(detail) };
}

export function intentFromRow({ id, detail, ...members }: IntentRow): Intent {
  return { ...members, key: id, detail: JSON.parse(detail) as Intent["detail"] };
}
