/** What of a webhook matters to us: where it happened and who did it. Facts are read by the tick. */
export interface Delivery {
  /** GitHub's guid: the same for every attempt to deliver it. */
  readonly id: string;
  readonly name: string;
  readonly payload: {
    readonly action?: unknown;
    readonly repository?: {
      readonly full_name?: unknown;
      readonly default_branch?: unknown;
    } | null;
    readonly organization?: { readonly login?: string } | null;
    readonly installation?: object | null;
    readonly sender?: { readonly login?: string } | null;
    readonly comment?: unknown;
    readonly check_run?: unknown;
    readonly requested_action?: unknown;
  };
}
