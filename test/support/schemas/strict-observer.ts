import type {
  GraphqlExchange,
  Observer,
  RestExchange,
  SentWebhook,
} from "../../../local-github/wire/observer.ts";
import { graphqlViolations } from "./graphql-validator.ts";
import { restViolations } from "./rest-validator.ts";
import { webhookViolations } from "./webhook-validator.ts";

/** Holds what the local GitHub hears and says against GitHub's published schemas. Nothing is sampled: each is checked. */
export class StrictObserver implements Observer {
  readonly #counts = new Map<string, number>();
  readonly #answers = new Map<string, number[]>();

  rest(exchange: RestExchange): void {
    const route = `${exchange.method} ${exchange.route ?? exchange.path}`;
    this.#answers.set(route, [...this.answers(route), exchange.status]);
    const violations = restViolations(exchange);
    this.#collect(violations);
    if (exchange.route !== undefined || violations.length > 0) return;
    // GitHub has it and we do not: a 404 from here would read as "not there".
    this.#collect([`${exchange.method} ${exchange.path}: not modelled here`]);
  }

  webhook(webhook: SentWebhook): void {
    this.#collect(webhookViolations(webhook));
  }

  graphql(exchange: GraphqlExchange): void {
    this.#collect(graphqlViolations(exchange));
  }

  /** Statuses of the answers to a route, such as `GET /app`, in their order. */
  answers(route: string): readonly number[] {
    return this.#answers.get(route) ?? [];
  }

  /** Each violation once, with how often it was seen when more than once. */
  get violations(): readonly string[] {
    return [...this.#counts].map(([line, count]) =>
      count > 1 ? `${line} (${count} times)` : line,
    );
  }

  assertNoViolations(): void {
    if (this.#counts.size === 0) return;
    throw new Error(`against GitHub's schemas:\n  ${this.violations.join("\n  ")}`);
  }

  /** List positions are dropped: the same mistake in a hundred elements is one. */
  #collect(lines: readonly string[]): void {
    for (const line of lines) {
      const general = line.replaceAll(/\/\d+(?=[/ ])/g, "/*");
      this.#counts.set(general, (this.#counts.get(general) ?? 0) + 1);
    }
  }
}
