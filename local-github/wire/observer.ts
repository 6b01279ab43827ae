export interface RestExchange {
  readonly method: string;
  /** It has its query, but not the prefix of an enterprise server. */
  readonly path: string;
  /** This is the route's template; it is undefined when there is no such route. */
  readonly route: string | undefined;
  readonly status: number;
  readonly requestBody?: unknown;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly responseBody?: unknown;
}

export interface GraphqlExchange {
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly result: unknown;
}

export interface SentWebhook {
  readonly event: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: unknown;
}

/** Sees everything that this GitHub hears and says, before it leaves. */
export interface Observer {
  rest?(exchange: RestExchange): void;
  graphql?(exchange: GraphqlExchange): void;
  webhook?(webhook: SentWebhook): void;
}
