/** The stack of the first tick that a webhook caused, from the tick down to who took the webhook in. */
export class WebhookStack {
  #lines: readonly string[] = [];

  /** Every tick that looks at GitHub asks for the signals first, on the stack of whoever woke it. */
  watch(store: { unseenSignals(): unknown }): void {
    const ask = store.unseenSignals.bind(store);
    store.unseenSignals = () => {
      this.#keep();
      return ask();
    };
  }

  /** How often the way changes from one file of the sources to another, from the webhook's handler to the tick. */
  get hops(): number {
    const files = this.#lines.flatMap((line) => /\/src\/([^?:)]+\.ts)/.exec(line)?.[1] ?? []);
    const door = files.findIndex((file) => file.startsWith("intake/") || /webhooks/.test(file));
    if (door === -1) throw new Error(`no webhook on the stack:\n${this.#lines.join("\n")}`);
    const way = files.slice(0, door + 1);
    return way.filter((file, at) => at > 0 && file !== way[at - 1]).length;
  }

  #keep(): void {
    if (this.#lines.some((line) => line.includes("webhooks"))) return;
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 50;
    this.#lines = (new Error("here").stack ?? "").split("\n");
    Error.stackTraceLimit = stackTraceLimit;
  }
}
