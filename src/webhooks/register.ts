import type { Probot } from "probot";
import type { Delivery } from "../domain/delivery.ts";
import type { Instant, RepoName } from "../domain/ids.ts";
import type { Signal } from "../domain/signal.ts";
import type { Store } from "../ports/store.ts";
import { EVENTS, INSTALLATION_EVENTS } from "./events.ts";
import { isFailedCheck } from "./is-failed-check.ts";
import { isEcho, isNews, signalFromDelivery } from "./to-signal.ts";
import { touchesConfig } from "./touches-config.ts";

export interface Intake {
  readonly store: Store;
  readonly now: () => Instant;
  /** The app's own login: its echoes wake nobody. */
  readonly botLogin: string;
  /** Where a repository's configuration is. */
  readonly configPath: string;
  /** Called for the app's own landings too: they may change the file like any other push. */
  readonly configChanged: (signal: Signal) => void;
  /** How the sender calls the default branch. */
  readonly defaultBranchNamed: (repo: RepoName, branch: string) => void;
  /** Called after the signal is durable. */
  readonly wake: (signal: Signal) => void;
}

/** Each webhook becomes one durable signal and is answered at once; everything else happens in ticks. */
export function registerWebhooks(probot: Probot, intake: Intake): void {
  probot.on([...EVENTS, ...INSTALLATION_EVENTS], (context) => receive(context, intake));
}

/** Once for each delivery, however it came and however often. */
export async function receive(delivery: Delivery, intake: Intake): Promise<void> {
  const signal = signalFromDelivery(delivery, intake.now());
  if (signal === undefined) return;
  const added = await intake.store.addSignal(signal);
  if (added === "duplicate") return;
  const { name, payload } = delivery;
  if (touchesConfig(name, payload, intake.configPath)) intake.configChanged(signal);
  const branch = payload.repository?.default_branch;
  if (signal.repo !== undefined && typeof branch === "string") {
    intake.defaultBranchNamed(signal.repo, branch);
  }
  if (isEcho(delivery, intake.botLogin)) return;
  if (isNews(signal) || isFailedCheck(delivery)) intake.wake(signal);
}
