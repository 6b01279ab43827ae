/** One guard of the train, and how it is taken away. */
export interface Guard {
  readonly name: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  /** Where it is missed; the model if not said. */
  readonly test?: string;
}

export const GUARDS: readonly Guard[] = [
  {
    name: "a batch counts only on the base that it was built on",
    file: "src/domain/entry.ts",
    find: "isWhole(batch) && batch.candidate.base === commit && !chain",
    replace: "isWhole(batch) && !chain",
  },
  {
    name: "a batch that lost a member counts no more",
    file: "src/domain/entry.ts",
    find: "return states.size === 1 && entries.length === candidate.steps.length && inPlace;",
    replace: "return states.size > 0 && inPlace !== undefined;",
  },
  {
    name: "no evidence, no landing",
    file: "src/train/decide/decide-advance.ts",
    find: "first === undefined || !isProven(batch)",
    replace: "first === undefined",
    test: "test/train/decide/decide.test.ts",
  },
  {
    name: "approval and head are read again after the verification",
    file: "src/train/decide/decide-advance.ts",
    find: "snapshot.reading.readAt > first.changedAt",
    replace: "first.changedAt > 0",
    test: "test/train/decide/decide.test.ts",
  },
  {
    name: "the pull request is looked at right before it lands",
    file: "src/train/land/land.ts",
    find: 'return pull?.state !== "open" || pull.head !== entry.head || pull.draft || pull.base !== base;',
    replace: "return pull?.head === base;",
  },
  {
    name: "new commits end an entry",
    file: "src/train/decide/decide-entries.ts",
    find: "if (pull.head !== entry.head)",
    replace: "if (pull.head === snapshot.base)",
    test: "test/train/decide/decide.test.ts",
  },
  {
    name: "a withdrawn approval ends an entry",
    file: "src/train/decide/decide-entries.ts",
    find: "if (!hasApprovals(pull, snapshot.policy)) return `the approval",
    replace: "if (pull.number < 0) return `the approval",
    test: "test/train/decide/decide.test.ts",
  },
  {
    name: "only an approved head enters",
    file: "src/train/decide/decide-entries.ts",
    find: "return isApproved(pull, policy) &&",
    replace: "return pull.number > 0 &&",
  },
  {
    name: "the base moves from its expected commit only",
    file: "src/train/land/fast-forward.ts",
    find: "updates: [{ branch: base, before: candidate.base, after: candidate.commit, force: false }],",
    replace:
      "updates: [{ branch: base, before: await deps.git.fetchBranch(repo, base), after: candidate.commit, force: true }],",
  },
  {
    name: "an answer is not believed, the base is read",
    file: "src/train/land/resolve-landing.ts",
    find: "if (await deps.git.isAncestor(repo, candidate.commit, tip)) return candidate.steps;",
    replace: "if (tip === candidate.base) return candidate.steps;",
  },
  {
    name: "heads of a landing that failed are put back",
    file: "src/train/land/resolve-landing.ts",
    find: "await restoreHeads(batch, pass, deps);",
    replace: "",
  },
  {
    name: "the store refuses a landing of a train that was paused meanwhile",
    file: "src/train/land/decide-landing.ts",
    find: "    stillRunning,\n",
    replace: "",
  },
  {
    name: "the store refuses a landing in a repository that was paused meanwhile",
    file: "src/adapters/store/events/guards.ts",
    find: 'return change.kind === "intent-opened" && change.intent.kind === "land";',
    replace: 'return change.kind === "intent-opened" && change.intent.kind === "finish-landing";',
    test: "test/adapters/store/embedded.test.ts",
  },
  {
    name: "a pause stops a train whose row does not know of it",
    file: "src/train/decide/decide-train-state.ts",
    find: 'if (pause !== undefined && train.state === "running") {',
    replace: 'if (pause !== undefined && train.state === "halted") {',
    test: "test/train/decide/decide-train-state.test.ts",
  },
  {
    name: "a candidate that is not on this host is built again",
    file: "src/train/build-batch.ts",
    find: 'error.code === "git-failed") return false;',
    replace: 'error.code === "git-failed") return true;',
    test: "test/train/apply.test.ts",
  },
  {
    name: "what was approved for another base does not land on this one",
    file: "src/train/decide/decide-entries.ts",
    find: "if (entry.base !== snapshot.base)",
    replace: "if (entry.base === snapshot.repo)",
    test: "test/train/decide/decide.test.ts",
  },
  {
    name: "a train that stands starts nothing",
    file: "src/train/decide/decide-advance.ts",
    find: 'train.state === "running"',
    replace: "train.size > 0",
  },
  {
    name: "one failure may be chance",
    file: "src/domain/verification.ts",
    find: "const REDS_THAT_COUNT = 2;",
    replace: "const REDS_THAT_COUNT = 1;",
  },
  {
    name: "the base is verified first",
    file: "src/train/decide/decide-base.ts",
    find: 'snapshot.policy.baseline ? tip.verdict : "green"',
    replace: 'tip.verdict === "green" ? tip.verdict : "green"',
  },
  {
    name: "a red batch is bisected",
    file: "src/train/decide/decide-verdict.ts",
    find: "return alone ? rejected(judged) : bisected(judged);",
    replace: "return rejected(judged);",
  },
  {
    name: "only the first batch is judged",
    file: "src/train/decide/decide-advance.ts",
    find: "if (at > 0) return verdicts.length > 0",
    replace: "if (at > 99) return verdicts.length > 0",
  },
  {
    name: "dependencies go first",
    file: "src/train/decide/order.ts",
    find: "left.findIndex(({ task }) => !dependsOnAny(task, behind))",
    replace: "left.findIndex(() => behind.size > 0)",
  },
  {
    name: "no branch goes that a pull request wants to go to",
    file: "src/train/land/finish-landing.ts",
    find: "branch === undefined || look?.wanted.get(branch) !== false",
    replace: "branch === undefined",
  },
  {
    name: "no branch of an open pull request goes",
    file: "src/train/land/finish-landing.ts",
    find: 'if (shown !== "open") await removeBranch',
    replace: "await removeBranch",
  },
  {
    name: "what is written needs the lease",
    file: "src/train/queue/with-merge-lock.ts",
    find: 'await deps.store.record(repo, changes, { kind: "lease", lease: lock.lease });',
    replace: "await deps.store.record(repo, changes);",
    test: "test/train/queue/with-merge-lock.test.ts",
  },
  {
    name: "a landing is audited",
    file: "src/train/land/resolve-landing.ts",
    find: "if (breach !== undefined) return breach;",
    replace: "",
    test: "test/train/land/audit.test.ts",
  },
];
