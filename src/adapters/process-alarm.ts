/** A pause that can be cut short; once rung it stays rung. */
export class Alarm {
  #rung = false;
  #wake = (): void => undefined;

  readonly ring = (): void => {
    this.#rung = true;
    this.#wake();
  };

  wait(ms: number): Promise<void> {
    if (this.#rung) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
