/** An issue that is to exist, once, however often it is asked for. */
export interface IssueOrder {
  /** Names it for good; a hidden marker in its text. */
  readonly alias: string;
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
  /** An issue that exists, or another order by its alias. */
  readonly parent: number | string | undefined;
  /** Aliases of orders that block it. */
  readonly dependsOn: readonly string[];
}
