import { stat } from "node:fs/promises";
import type { RepoName } from "../../domain/ids.ts";
import { Conversation, type Helper } from "./conversation.ts";
import { gitFailed } from "./run-git.ts";

/** What one command says about one mirror. */
interface Talk {
  readonly conversation: Conversation;
  readonly mirror: string;
  readonly idle: NodeJS.Timeout;
}

// Longer than the pauses within the work on one task.
const IDLE_MS = 10_000;
// A few for each of the repositories that are worked on at a time; one costs some megabytes.
const MAX_TALKS = 32;

interface Places {
  readonly mirror: (repo: RepoName) => string;
  readonly env: (repo: RepoName) => Readonly<Record<string, string>>;
}

/** Gits that stay: one for each command and mirror that somebody asked lately. */
export class Conversations {
  readonly #places: Places;
  /** The one that was asked last is the last. */
  readonly #talks = new Map<string, Talk>();

  constructor(places: Places) {
    this.#places = places;
  }

  /** After an accident the question is put once more: it must be one that can be repeated. */
  async ask(repo: RepoName, helper: Helper, question: string): Promise<Buffer> {
    const ask = async (): Promise<Buffer> => (await this.#talk(repo, helper)).ask(question);
    try {
      return await ask().catch(ask);
    } catch (cause) {
      throw gitFailed(helper, cause instanceof Error ? cause.message : String(cause));
    }
  }

  end(): void {
    for (const key of [...this.#talks.keys()]) this.#hangUp(key);
  }

  async #talk(repo: RepoName, helper: Helper): Promise<Conversation> {
    const key = `${repo} ${helper.args.join(" ")}`;
    const mirror = await identityOf(this.#places.mirror(repo));
    let talk = this.#talks.get(key);
    if (talk?.mirror !== mirror || talk.conversation.isOver) {
      this.#hangUp(key);
      const place = { cwd: this.#places.mirror(repo), env: this.#places.env(repo) };
      const idle = setTimeout(() => this.#hangUp(key), IDLE_MS).unref();
      talk = { conversation: new Conversation(helper, place), mirror, idle };
    }
    talk.idle.refresh();
    this.#talks.delete(key);
    this.#talks.set(key, talk);
    const [longestIdle] = this.#talks.keys();
    if (this.#talks.size > MAX_TALKS && longestIdle !== undefined) this.#hangUp(longestIdle);
    return talk.conversation;
  }

  #hangUp(key: string): void {
    const talk = this.#talks.get(key);
    clearTimeout(talk?.idle);
    talk?.conversation.end();
    this.#talks.delete(key);
  }
}

/** A mirror that was made anew is another one: git would go on answering from files of the old one that it has open. */
async function identityOf(mirror: string): Promise<string> {
  const { ino, birthtimeMs } = await stat(mirror);
  return `${ino} ${birthtimeMs}`;
}
