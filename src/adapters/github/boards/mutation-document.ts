/** Collects many mutations in one GraphQL document, so that many writes are one call. */
export class MutationDocument {
  readonly variables: Record<string, unknown> = {};
  readonly #declarations: string[] = [];
  readonly #fields: string[] = [];
  readonly #names = new Map<string, string>();

  get empty(): boolean {
    return this.#fields.length === 0;
  }

  get query(): string {
    return `mutation UpdateCards(${this.#declarations.join(", ")}) {\n  ${this.#fields.join("\n  ")}\n}`;
  }

  /** Returns the variable for a value. The same value is declared only once. */
  variable(type: string, value: unknown): string {
    const key = `${type} ${JSON.stringify(value)}`;
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const name = `v${this.#names.size}`;
    this.#names.set(key, `$${name}`);
    this.#declarations.push(`$${name}: ${type}`);
    this.variables[name] = value;
    return `$${name}`;
  }

  /** `input` and `answer` are GraphQL texts that refer to values by their variables. */
  add(mutation: string, input: string, answer: string): void {
    const alias = `m${this.#fields.length}`;
    this.#fields.push(`${alias}: ${mutation}(input: { ${input} }) { ${answer} }`);
  }
}
