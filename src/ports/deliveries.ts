import type { Delivery } from "../domain/signal.ts";

/** This is one attempt of GitHub to tell the app something. */
export interface DeliveryAttempt {
  /** It is beyond 2^53, so it is kept as text. */
  readonly id: string;
  /** All attempts of one delivery have the same guid. */
  readonly guid: string;
  readonly event: string;
  /** This says whether the app confirmed that it got the delivery. */
  readonly answered: boolean;
}

export type AttemptList =
  | { readonly kind: "unchanged" }
  | {
      readonly kind: "listed";
      /** The newest attempt comes first. */
      readonly attempts: readonly DeliveryAttempt[];
      /** This is false when there are more attempts than one sweep may list. */
      readonly complete: boolean;
      /** With this version the next list costs nothing if nothing came in between. */
      readonly version: string | undefined;
    };

/** Reads what GitHub tried to tell the app. GitHub remembers three days and repeats nothing by itself. */
export interface Deliveries {
  list(since: {
    /** This is the newest attempt that needs no second look. */
    readonly seen: string | undefined;
    readonly version: string | undefined;
  }): Promise<AttemptList>;
  /** The result is undefined when GitHub has forgotten the delivery. */
  read(attempt: DeliveryAttempt): Promise<Delivery | undefined>;
}
