import type { Logger } from "pino";
import type { OperatorConfig } from "../config/schema/operator-config.ts";
import type { Clock } from "../ports/clock.ts";

export interface AppOptions {
  readonly operator: OperatorConfig;
  readonly identity: {
    readonly appId: number;
    readonly privateKey: string;
    readonly webhookSecret: string;
  };
  /** The server's environment: runners see only what the operator lists. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: Logger;
  /** The host's own clock is used if none is given. */
  readonly clock?: Clock;
}
