import type { Permissions } from "../../local-github/model/app.ts";
import type { LocalGitHubOptions } from "../../local-github/start-local-github.ts";
import type { Observer } from "../../local-github/wire/observer.ts";
import type { Reasons } from "../../src/config/repository/differences.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { Script } from "./agent-script.ts";

const AGENT = new URL("agent.sh", import.meta.url).pathname;
/** The tests' runner as the operator's file would name it. */
export const AGENT_RUNNER = {
  command: `sh "${AGENT}"`,
  slots: 8,
  env: ["AGENT_DIR"],
};

/** Why the world of the tests is not a server with an empty file. */
export const WORLD_REASONS: Reasons = {
  "github.pacing": "most tests are about what happens, not about when",
  sandbox: "the tests' agent writes into a folder that it shares with the test",
  minFreeMemory: "a dozen worlds share a small machine",
  "repositories.*.report.waitingAfter":
    "tests read what people are told, and not ten minutes later",
  retry: "nobody should wait ten seconds for a second attempt in a test",
};

export interface NewTask {
  readonly id: string;
  readonly files?: readonly string[];
  readonly dependsOn?: readonly string[];
  readonly labels?: readonly string[];
  readonly body?: string;
  readonly script?: Script;
  /** Backlog unless given. */
  readonly column?: string;
}

export interface LogLine {
  /** As pino numbers them: 20 is for debugging, 40 a warning. */
  readonly level: number;
  readonly msg: string;
  readonly [field: string]: unknown;
}

export interface WorldOptions {
  readonly files?: Readonly<Record<string, string>>;
  /** Laid over the operator's configuration. */
  readonly operator?: Readonly<Record<string, unknown>>;
  /** What the operator fixes for the repository. */
  readonly repository?: Readonly<Record<string, unknown>>;
  /** Only the sandbox differs from a server with an empty file, besides addresses and sizes. */
  readonly defaults?: boolean;
  readonly startApp?: boolean;
  /** Of the app. */
  readonly clock?: Clock;
  /** False where the same exchanges happen hundreds of times: other tests hold them against the schemas. */
  readonly strict?: boolean;
  /** Hears everything instead of the schemas. */
  readonly listener?: Observer;
  /** The repository belongs to ann herself: there is no project, and nobody's board but labels. */
  readonly personal?: boolean;
  /** The project is ann's own: only a classic token of hers opens it. */
  readonly ownProject?: boolean;
  /** A permission of the manifest that was not granted. */
  readonly without?: string;
  /** Permissions that were granted besides those of the manifest. */
  readonly granted?: Permissions;
  /** Fields that the project has besides Status. */
  readonly fields?: readonly { readonly name: string; readonly dataType: "TEXT" | "NUMBER" }[];
  /** Limits, a pace and a clock other than the local GitHub's own. */
  readonly github?: Pick<LocalGitHubOptions, "limits" | "latency" | "enterprise" | "now">;
  /** Gets every line that the app logs, those for debugging too. */
  readonly onLog?: (line: LogLine) => void;
  /** Of the server, besides what every test has. */
  readonly environment?: Readonly<Record<string, string>>;
}
