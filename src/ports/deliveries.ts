import type { Delivery } from "../domain/delivery.ts";

/** One attempt of GitHub to tell the app something. */
export interface DeliveryAttempt {
  readonly id: number;
  /** What the attempts of one delivery have in common. */
  readonly guid: string;
  readonly event: string;
  /** Whether the app said that it has it. */
  readonly answered: boolean;
}

export type AttemptList =
  | { readonly kind: "unchanged" }
  | {
      readonly kind: "listed";
      /** Newest first. */
      readonly attempts: readonly DeliveryAttempt[];
      /** False when there are more than one sweep may list. */
      readonly complete: boolean;
      /** Makes the next list cost nothing when nothing came in between. */
      readonly version: string | undefined;
    };

/** What GitHub tried to tell the app: it remembers three days and repeats nothing by itself. */
export interface Deliveries {
  list(since: {
    /** The newest attempt that needs no second look. */
    readonly seen: number | undefined;
    readonly version: string | undefined;
  }): Promise<AttemptList>;
  /** Undefined when GitHub has forgotten it. */
  read(attempt: DeliveryAttempt): Promise<Delivery | undefined>;
}
