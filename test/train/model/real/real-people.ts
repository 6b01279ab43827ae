import { changeRefs } from "../../../../local-github/actions/pulls/change-refs.ts";
import { setDraft } from "../../../../local-github/actions/pulls/pull-state.ts";
import { sha } from "../../../../src/domain/ids.ts";
import type { ModelPull } from "../model-hub.ts";
import { repairsOf } from "../model-people.ts";
import type { People } from "../stage.ts";
import type { RealHub } from "./real-hub.ts";

/** People who work on the local GitHub, by hand and by git. */
export class RealPeople implements People {
  readonly #hub: RealHub;
  #pushes = 0;

  constructor(hub: RealHub) {
    this.#hub = hub;
  }

  async pushToBase(text: "good" | "bad"): Promise<void> {
    this.#pushes += 1;
    const { objects, tip, base } = this.#hub;
    const repairs = repairsOf(objects.files(objects.commitOf(tip).tree));
    const files = { ...repairs, [`others/${this.#pushes}`]: text };
    const commit = await this.#push(base, files);
    this.#hub.pushed.add(sha(commit));
    this.#hub.follow("others");
  }

  async rewindBase(): Promise<void> {
    const { github, repository, objects, tip, base } = this.#hub;
    const [, before] = objects.history(tip);
    if (before === undefined) return;
    const changes = [{ name: `refs/heads/${base}`, after: before, force: true }];
    await changeRefs(github.world, repository, { changes, actor: github.as("ann").user });
    this.#hub.follow("others");
  }

  async pushToHead({ number, branch, state }: ModelPull): Promise<void> {
    const { repository } = this.#hub;
    if (state !== "open" || !repository.refs.has(`refs/heads/${branch}`)) return;
    this.#pushes += 1;
    await this.#push(branch, { [`late/${number}-${this.#pushes}`]: "good" });
  }

  approve({ number }: ModelPull): void {
    this.#hub.approve(number);
  }

  withdraw({ number }: ModelPull): void {
    const ann = this.#hub.github.as("ann");
    for (const review of this.#hub.pull(number).reviews) {
      if (review.state === "APPROVED") ann.dismissReview(review);
    }
  }

  setDraft({ number }: ModelPull, draft: boolean): void {
    const { github } = this.#hub;
    const pull = this.#hub.pull(number);
    if (pull.state === "open") setDraft(github.world, pull, { draft, actor: pull.author });
  }

  close({ number }: ModelPull): void {
    this.#hub.github.as("ann").closePullRequest(this.#hub.pull(number));
  }

  #push(branch: string, files: Record<string, string>): Promise<string> {
    const { github, repository } = this.#hub;
    const message = `push ${this.#pushes}`;
    return github.as("ann").push(repository, branch, { files, message });
  }
}
