import { EventEmitter } from "node:events";
import type { RepoName } from "../../domain/ids.ts";
import type { WakeListener, WakeUps } from "../../ports/wake-ups.ts";

/** Who wants to be woken in this process. */
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

/** Wake-ups of a store that has one process. */
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
