import type { Gate } from "../limits/gate.ts";
import type { World } from "../model/world.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import type { Faults } from "../wire/faults.ts";
import type { Observer } from "../wire/observer.ts";
import type { QueueFollower } from "./queue-follower.ts";

export interface CallCounts {
  rest: number;
  graphql: number;
  /** These requests, of either kind, change what people see. */
  writes: number;
  /** These create content that GitHub limits, see `limits/content.ts`; a document with two mutations may count twice. */
  contentWrites: number;
  /** These requests passed a limit. */
  refused: number;
}

/** Holds the things that all parts that answer requests share. */
export interface Site {
  readonly world: World;
  readonly faults: Faults;
  readonly gate: Gate;
  readonly observer: Observer;
  readonly webhooks: Webhooks;
  readonly queues: QueueFollower;
  readonly counts: CallCounts;
}
