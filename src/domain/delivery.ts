/** What of a webhook matters to us: where it happened and who did it. Facts are read by the tick. */
export interface Delivery {
  /** GitHub's guid: the same for every attempt to deliver it. */
  readonly id: string;
  readonly name: string;
  readonly payload: {
    readonly action?: unknown;
    readonly repository?:
      | {
          readonly full_name?: unknown;
          readonly default_branch?: unknown;
        }
      | null
      | undefined;
    readonly organization?: { readonly login?: string | undefined } | null | undefined;
    readonly installation?: object | null | undefined;
    readonly sender?: { readonly login?: string | undefined } | null | undefined;
    readonly comment?: unknown;
    readonly check_run?: unknown;
    readonly requested_action?: unknown;
  };
}
