import { nodeOf } from "../resolve/node-lookup.ts";
import type { Viewer } from "../resolve/viewer.ts";

export function labelNames(viewer: Viewer, ids: readonly string[]): readonly string[] {
  return ids.map((id) => nodeOf(viewer, id, "label").name);
}
