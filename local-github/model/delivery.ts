import type { Installation } from "./app.ts";

export interface Delivery {
  /** It is beyond 2^53, so a number cannot hold it. */
  readonly id: bigint;
  /** This is `X-GitHub-Delivery`: a redelivery has a new id and the same guid. */
  readonly guid: string;
  readonly event: string;
  readonly action: string | null;
  readonly installation: Installation | null;
  readonly repositoryId: number | null;
  readonly redelivery: boolean;
  readonly createdAt: string;
  readonly request: {
    readonly headers: Readonly<Record<string, string>>;
    /** This is the raw body: the signature is over exactly these bytes. */
    readonly body: string;
  };
  outcome: DeliveryOutcome;
}

export type DeliveryOutcome =
  | { readonly state: "pending" }
  | { readonly state: "lost" }
  | {
      readonly state: "answered";
      readonly statusCode: number;
      readonly durationMs: number;
      readonly body: string;
    }
  | { readonly state: "failed"; readonly reason: string; readonly durationMs: number };
