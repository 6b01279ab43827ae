import type {
  Answer,
  AppFacts,
  DeliveryFact,
  Granted,
  HookFacts,
  InstallationFacts,
} from "../ports/inspection.ts";

/** What the app's manifest asks for. */
export interface WantedGrants {
  readonly permissions: Granted;
  readonly events: readonly string[];
}

/** The app as GitHub knows it. */
export interface AppReading {
  readonly appId: number;
  readonly apiUrl: string;
  readonly readAt: number;
  readonly wanted: WantedGrants;
  readonly app: Answer<AppFacts>;
  /** Undefined when the app itself could not be read. */
  readonly more: AppDetails | undefined;
}

export interface AppDetails {
  readonly hook: Answer<HookFacts>;
  readonly deliveries: Answer<readonly DeliveryFact[]>;
  readonly installations: Answer<readonly InstallationFacts[]>;
}
