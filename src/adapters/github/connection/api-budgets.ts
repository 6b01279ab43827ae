import { instant } from "../../../domain/ids.ts";
import type { Instant, RepoName } from "../../../domain/ids.ts";
import type { Allowance, ApiBudget, WriteKind } from "../../../ports/api-budget.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Octokit } from "./connection.ts";
import { GITHUB_LIMITS, NO_LIMITS } from "./decide-when.ts";
import type { Limits } from "./decide-when.ts";
import { askedPause, httpFailureOf, isRateLimited } from "./github-failure.ts";
import type { AnswerHeaders } from "./github-failure.ts";
import { weigh } from "./kind-of-write.ts";
import type { Api } from "./kind-of-write.ts";
import { PushTurns } from "./push-turns.ts";
import { RequestPace } from "./request-pace.ts";

interface Share {
  readonly pace: RequestPace;
  rest: Allowance | undefined;
  graphql: Allowance | undefined;
}

interface Answer {
  readonly api: Api;
  readonly headers: AnswerHeaders;
  readonly limited: boolean;
}

/** Keeps one budget for each installation, as GitHub does. Every answer says what is left; asking for it would cost a call. */
export class ApiBudgets {
  readonly #clock: Clock;
  readonly #limits: Limits;
  readonly #shares = new Map<number, Share>();
  readonly #watched = new WeakSet<Octokit>();
  readonly #pushes: PushTurns | undefined;

  constructor(clock: Clock, pacing: "polite" | "off") {
    this.#clock = clock;
    this.#limits = pacing === "off" ? NO_LIMITS : GITHUB_LIMITS;
    this.#pushes = pacing === "off" ? undefined : new PushTurns(clock.now);
  }

  /** Makes the client's requests wait until the installation's budget allows them. */
  watch(installation: number, client: Octokit): Octokit {
    if (this.#watched.has(client)) return client;
    this.#watched.add(client);
    const share = this.#shareOf(installation);
    client.hook.wrap("request", (request, options) => {
      const weighed = weigh(options);
      if (weighed === undefined) return request(options);
      return share.pace.send(weighed, async () => {
        const { api } = weighed;
        try {
          const answer = await request(options);
          note(share, { api, headers: answer.headers, limited: false });
          return answer;
        } catch (error) {
          const failure = httpFailureOf(error);
          if (failure !== undefined) {
            note(share, { api, headers: failure.headers, limited: isRateLimited(failure) });
          }
          throw error;
        }
      });
    });
    return client;
  }

  /** Says when a write of this kind could go if it came now. */
  nextAt(installation: number, kind: WriteKind): Instant {
    return this.#shareOf(installation).pace.nextAt(kind);
  }

  takePush(repo: RepoName): void {
    this.#pushes?.take(repo);
  }

  all(): readonly ApiBudget[] {
    return [...this.#shares].map(([installation, { rest, graphql, pace }]) => {
      const limit = GITHUB_LIMITS.contentPerHour;
      return {
        installation,
        rest,
        graphql,
        writes: { limit, left: Math.max(0, limit - pace.contentWithinHour()) },
        heldBack: pace.waiting(),
        askedUntil: pace.askedUntil(),
      };
    });
  }

  #shareOf(installation: number): Share {
    const known = this.#shares.get(installation) ?? {
      pace: new RequestPace(this.#clock, this.#limits),
      rest: undefined,
      graphql: undefined,
    };
    this.#shares.set(installation, known);
    return known;
  }
}

function note(share: Share, { api, headers, limited }: Answer): void {
  const pause = askedPause(headers, limited);
  if (pause !== undefined) share.pace.pause(api, pause);
  const allowance = {
    limit: Number(headers["x-ratelimit-limit"]),
    left: Number(headers["x-ratelimit-remaining"]),
    resetsAt: instant(Number(headers["x-ratelimit-reset"]) * 1000),
  };
  if (!Object.values(allowance).every(Number.isFinite)) return;
  if (headers["x-ratelimit-resource"] === "graphql") share.graphql = allowance;
  if (headers["x-ratelimit-resource"] === "core") share.rest = allowance;
}
