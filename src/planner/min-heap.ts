/** Takes the least element first; equal elements come in any order, so `before` must be a strict total order. */
export class MinHeap<T> {
  readonly #items: T[] = [];
  readonly #before: (a: T, b: T) => boolean;

  constructor(before: (a: T, b: T) => boolean) {
    this.#before = before;
  }

  get size(): number {
    return this.#items.length;
  }

  get least(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    const items = this.#items;
    let at = items.length;
    while (at > 0) {
      const up = (at - 1) >> 1;
      const parent = items[up] as T;
      if (!this.#before(item, parent)) break;
      items[at] = parent;
      at = up;
    }
    items[at] = item;
  }

  pop(): T | undefined {
    const top = this.#items[0];
    const last = this.#items.pop();
    if (this.#items.length > 0) this.#sink(last as T);
    return top;
  }

  #sink(item: T): void {
    const items = this.#items;
    let at = 0;
    for (let child = this.#lesserChild(at); child < items.length; child = this.#lesserChild(at)) {
      const below = items[child] as T;
      if (!this.#before(below, item)) break;
      items[at] = below;
      at = child;
    }
    items[at] = item;
  }

  #lesserChild(at: number): number {
    const left = 2 * at + 1;
    const right = left + 1;
    const items = this.#items;
    if (right >= items.length) return left;
    return this.#before(items[right] as T, items[left] as T) ? right : left;
  }
}
