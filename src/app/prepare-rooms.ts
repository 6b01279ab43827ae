import { join } from "node:path";
import { createFiles } from "../adapters/host/files.ts";
import { createHost } from "../adapters/host/host.ts";
import { createProcesses } from "../adapters/process/create-processes.ts";
import { createSandbox } from "../adapters/sandbox/create-sandbox.ts";
import { findInside } from "../adapters/sandbox/find-inside.ts";
import type { Clock } from "../ports/clock.ts";
import type { Deps } from "../ports/deps.ts";
import type { Aside } from "../ports/host.ts";
import type { Notices } from "../ports/notices.ts";
import { checkRunners } from "../runner/agent/check-runners.ts";
import { createFinishingRoom } from "../runner/finishing-room.ts";
import { createPoolEvents } from "../scheduler/slots/pool-events.ts";
import { createPortRanges } from "../workspace/port-ranges.ts";
import type { AppOptions } from "./app-options.ts";

type Rooms = Pick<
  Deps,
  "sandbox" | "files" | "ports" | "processes" | "host" | "finishing" | "pool"
>;

interface Surroundings {
  readonly clock: Clock;
  readonly aside: Aside;
  readonly notices: Notices;
}

/** Makes the places in which runs are kept. A sandbox that is not safe on this host is refused before anything is started. */
export async function prepareRooms(
  { operator, environment, log }: AppOptions,
  { clock, aside, notices }: Surroundings,
): Promise<Rooms> {
  const sandbox = await createSandbox({ operator, environment });
  const files = createFiles(environment);
  const look: Parameters<typeof checkRunners>[0]["findInside"] = (question) =>
    findInside(question, sandbox, environment);
  await checkRunners({ operator, sandbox, files, log, notices, environment, findInside: look });
  const processes = createProcesses({
    folder: join(operator.dataDir, "runs"),
    aside,
    endElsewhere: sandbox.end,
  });
  const host = createHost(operator.dataDir, environment, aside);
  return {
    sandbox,
    files,
    processes,
    host,
    ports: createPortRanges(operator.ports),
    finishing: createFinishingRoom(operator.finishing, clock),
    pool: createPoolEvents(log),
  };
}
