import { EventEmitter } from "node:events";
import type { RepoName } from "../../../domain/ids.ts";
import type { WakeListener, WakeUps } from "../../../ports/store.ts";

/** Keeps the listeners of this process that want to be woken. */
export class WakeListeners {
  readonly #emitter = new EventEmitter<{ wake: [RepoName | undefined] }>();

  add(listener: WakeListener): () => void {
    this.#emitter.on("wake", listener);
    return () => this.#emitter.off("wake", listener);
  }

  tell(repo: RepoName | undefined): void {
    this.#emitter.emit("wake", repo);
  }
}

/** Makes the wake-ups for a store that only one process uses. */
export function localWakeUps(): WakeUps {
  const listeners = new WakeListeners();
  return {
    notify(repo) {
      listeners.tell(repo);
      return Promise.resolve();
    },
    onWake: (listener) => listeners.add(listener),
  };
}
