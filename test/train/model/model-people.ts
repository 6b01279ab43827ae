import type { ModelHub, ModelPull } from "./model-hub.ts";
import type { People } from "./stage.ts";

/** People who work on the model's repository. */
export class ModelPeople implements People {
  readonly #hub: ModelHub;
  #pushes = 0;

  constructor(hub: ModelHub) {
    this.#hub = hub;
  }

  pushToBase(text: "good" | "bad"): void {
    this.#pushes += 1;
    const { objects, tip, base } = this.#hub;
    const files = { ...objects.files(objects.commitOf(tip).tree), ...this.#repairs() };
    files[`others/${this.#pushes}`] = text;
    const commit = objects.write(files, [tip], `other ${this.#pushes}`);
    this.#hub.pushed.add(commit);
    this.#hub.move(base, commit, "others");
  }

  rewindBase(): void {
    const { objects, tip, base } = this.#hub;
    const [, before] = objects.history(tip);
    if (before !== undefined) this.#hub.move(base, before, "others");
  }

  pushToHead(pull: ModelPull): void {
    const { objects, refs } = this.#hub;
    if (pull.state !== "open" || !refs.has(pull.branch)) return;
    this.#pushes += 1;
    const tree = objects.commitOf(pull.head).tree;
    const files = { ...objects.files(tree), [`late/${this.#pushes}`]: "good" };
    const commit = objects.write(files, [pull.head], `late ${this.#pushes}`);
    this.#hub.move(pull.branch, commit, "others");
  }

  approve(pull: ModelPull): void {
    this.#hub.approve(pull);
  }

  withdraw(pull: ModelPull): void {
    pull.approvedHead = undefined;
  }

  setDraft(pull: ModelPull, draft: boolean): void {
    pull.draft = draft;
  }

  close(pull: ModelPull): void {
    if (pull.state === "open") pull.state = "closed";
  }

  #repairs(): Record<string, string> {
    const { objects, tip } = this.#hub;
    return repairsOf(objects.files(objects.commitOf(tip).tree));
  }
}

/** Whoever pushes also repairs: a red base does not last for ever. */
export function repairsOf(files: Readonly<Record<string, string>>): Record<string, string> {
  const broken = Object.entries(files).filter(
    ([path, text]) => path.startsWith("others/") && text.startsWith("bad"),
  );
  return Object.fromEntries(broken.map(([path]) => [path, "good again"]));
}
