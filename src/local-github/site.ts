import type { Faults } from "./faults.ts";
import type { Gate } from "./limits/gate.ts";
import type { World } from "./model/world.ts";
import type { Observer } from "./observer.ts";
import type { QueueFollower } from "./queue-follower.ts";
import type { Webhooks } from "./webhooks/webhooks.ts";

export interface CallCounts {
  rest: number;
  graphql: number;
  /** Requests, of either kind, that change what people see. */
  writes: number;
  /** What they create that GitHub limits, see `limits/content.ts`; a document with two mutations may count twice. */
  contentWrites: number;
  /** Requests that passed a limit. */
  refused: number;
}

/** What the parts of this GitHub that answer requests share. */
export interface Site {
  readonly world: World;
  readonly faults: Faults;
  readonly gate: Gate;
  readonly observer: Observer;
  readonly webhooks: Webhooks;
  readonly queues: QueueFollower;
  readonly counts: CallCounts;
}
