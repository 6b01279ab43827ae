import type { Probot } from "probot";
import type { Instant, RepoName } from "../domain/ids.ts";
import type { Delivery, Signal } from "../domain/signal.ts";
import type { WakeReason } from "../ports/deps.ts";
import type { Store } from "../ports/store.ts";
import { EVENTS, INSTALLATION_EVENTS } from "./events.ts";
import {
  cardIdsOf,
  checkResultOf,
  isEcho,
  isNews,
  signalFromDelivery,
  touchesConfig,
} from "./interpret-delivery.ts";
import { concerns } from "./signals.ts";

export interface Intake {
  readonly store: Store;
  readonly now: () => Instant;
  /** This is the app's own login. Webhooks about its own writes wake nobody. */
  readonly botLogin: string;
  /** This is the path of a repository's configuration file. */
  readonly configPath: string;
  /** It is called for the app's own landings, too, because they may change the file like any other push. */
  readonly configChanged: (signal: Signal) => void;
  /** It is told the name that the payload gives for the default branch. */
  readonly defaultBranchNamed: (repo: RepoName, branch: string) => void;
  /** Finds the repository of a card by its id or its issue's. */
  readonly repoOfCard: (id: string) => RepoName | undefined;
  /** Says whether a landing waits for this check. */
  readonly isAwaited: (
    repo: RepoName,
    report: { readonly head: string; readonly name: string },
  ) => boolean;
  /** Tells whether the repository was on the list when that was last read. */
  readonly isInstalledOn: (repo: RepoName) => boolean;
  /** It is told a name that is not on the list. */
  readonly unknownNamed: (repo: RepoName) => void;
  /** Repositories may have come or gone. */
  readonly installationChanged: () => void;
  /** Their lanes are woken after the signal is durable. */
  readonly repos: WatchedRepos;
  /** Other servers on the same store may be the ones that have to act. It is undefined where there are none. */
  readonly wakeOthers: ((repo: RepoName | undefined) => void) | undefined;
}

export interface WatchedRepos {
  watched(): readonly RepoName[];
  wake(repo: RepoName, reason: WakeReason): void;
}

/** Each webhook becomes one durable signal and is answered at once. Everything else happens in ticks. */
export function registerWebhooks(probot: Probot, intake: Intake): void {
  probot.on([...EVENTS, ...INSTALLATION_EVENTS], (context) => receive(context, intake));
  // GitHub sends it without a subscription, and only to the App whose checks shall run again.
  probot.on("check_suite.rerequested", (context) => receive(context, intake));
}

/** Acts once for each delivery, however it came and however often. */
export async function receive(delivery: Delivery, intake: Intake): Promise<void> {
  const signal = signalOf(delivery, intake);
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
  if (isNews(signal) || isWanted(delivery, signal, intake)) wakeFor(signal, intake);
}

/** A check that failed on a pull request of ours may be work; one that succeeded is news only where a landing waits for it. */
function isWanted(delivery: Delivery, { repo }: Signal, { isAwaited }: Intake): boolean {
  const result = checkResultOf(delivery);
  if (result?.isOurs !== true) return false;
  return result.isBad || (repo !== undefined && isAwaited(repo, result));
}

/** A board's event names no repository. Most cards are known from the last reading, and then nobody else has to look. */
function signalOf(delivery: Delivery, { now, repoOfCard }: Intake): Signal | undefined {
  const signal = signalFromDelivery(delivery, now());
  if (signal === undefined || signal.repo !== undefined) return signal;
  const [repo] = cardIdsOf(delivery).flatMap((id) => repoOfCard(id) ?? []);
  return { ...signal, repo };
}

function tellsOfRepos(event: string): boolean {
  return event === "repository" || (INSTALLATION_EVENTS as readonly string[]).includes(event);
}

function wakeFor(signal: Signal, intake: Intake): void {
  const { repos, installationChanged, wakeOthers } = intake;
  const { event, repo } = signal;
  if (tellsOfRepos(event)) installationChanged();
  // Whatever happens in a repository that was renamed or transferred is told by its new name, which is on no list yet.
  else if (repo !== undefined && !intake.isInstalledOn(repo)) intake.unknownNamed(repo);
  for (const watched of repos.watched()) {
    if (concerns(signal, watched)) repos.wake(watched, "github-changed");
  }
  wakeOthers?.(repo);
}
