import { pointsOf } from "./points.ts";
import type { GraphqlExchange, Observer, RestExchange } from "../../local-github/wire/observer.ts";

/** What the app asked of GitHub, by what it was about. */
export class CallCounter implements Observer {
  readonly #seen = new Map<string, number>();
  /** Answers without a body, which GitHub does not count against the budget. */
  unchanged = 0;
  /** Points of GraphQL by GitHub's formula. */
  points = 0;
  /** What was asked as the App and not as an installation: GitHub counts it apart. */
  asApp = 0;

  rest({ method, route = "?", status }: RestExchange): void {
    if (AS_APP.test(route)) this.asApp += 1;
    if (status === 304) this.unchanged += 1;
    else this.#note(`${method} ${route}`);
  }

  graphql({ document, variables }: GraphqlExchange): void {
    this.#note(/^\s*(\w+ \w+)/.exec(document)?.[1] ?? "?");
    this.points += pointsOf(document, variables);
  }

  forget(): void {
    this.#seen.clear();
    this.unchanged = 0;
    this.points = 0;
    this.asApp = 0;
  }

  /** What counts against an installation. */
  get asInstallation(): number {
    const ofApp = [...this.#seen].filter(([name]) => AS_APP.test(name.replace(/^\w+ /, "")));
    return this.total - ofApp.reduce((sum, [, count]) => sum + count, 0);
  }

  get total(): number {
    return [...this.#seen.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Comments, pull requests and merges: what GitHub limits to 80 a minute and 500 an hour. */
  get contentWrites(): number {
    return [...this.#seen].reduce(
      (sum, [name, count]) => (CONTENT.test(name) ? sum + count : sum),
      0,
    );
  }

  /** Most frequent first. */
  table(): readonly (readonly [string, number])[] {
    return [...this.#seen].sort(([a, m], [b, n]) => n - m || a.localeCompare(b));
  }

  #note(name: string): void {
    this.#seen.set(name, (this.#seen.get(name) ?? 0) + 1);
  }
}

const AS_APP = /^\/app(?:\/|$)/;

const CONTENT = /^(?:POST|PATCH|PUT) \/repos\/.*\/(?:issues|pulls|comments|check-runs)\b/;
