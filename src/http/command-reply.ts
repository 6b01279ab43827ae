import type { CommandVerdict } from "../domain/given-command.ts";

/** What `POST /wavetrain/commands` answers. */
export interface CommandReply {
  readonly repo: string;
  readonly issue: number | undefined;
  readonly command: string;
  readonly verdict: CommandVerdict;
  readonly answer: readonly string[];
}
