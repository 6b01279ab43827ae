import type { User } from "../../model/account.ts";
import { identity } from "../../model/ids.ts";
import type { Thread, TimelineFact } from "../../model/issue.ts";
import { stamp } from "../../model/world.ts";
import type { World } from "../../model/world.ts";

export function record(
  world: World,
  thread: Thread,
  entry: { readonly actor: User; readonly what: TimelineFact },
): void {
  thread.timeline.push({ ...identity(world, "EV"), createdAt: stamp(world), ...entry });
}
