import type { Instant } from "../domain/ids.ts";
import type { Usage } from "../domain/usage.ts";

/** What a runner said about its own work; read from its output by its preset's parser. */
export interface AgentReport {
  /** `none`: the output holds no last word, because there is none or because it was cut off. */
  readonly terminal: "good" | "bad" | "none";
  /** By which the same conversation can be taken up again. */
  readonly session: string | undefined;
  readonly usage: Usage | undefined;
  readonly lastMessage: string | undefined;
  /** The provider refused for now; `until` where it told when to come back. */
  readonly limit: { readonly until: Instant | undefined } | undefined;
  readonly error: string | undefined;
}

/** Of a runner that says nothing that we can read. */
export const NO_REPORT: AgentReport = {
  terminal: "none",
  session: undefined,
  usage: undefined,
  lastMessage: undefined,
  limit: undefined,
  error: undefined,
};
