import type { Card, Issue, PullRequest, RepoReading } from "../../src/domain/board.ts";
import type { Intent } from "../../src/domain/change.ts";
import type { Candidate, Entry, Evidence } from "../../src/domain/entry.ts";
import type { Exploration, ExplorePlan } from "../../src/domain/exploration.ts";
import {
  entryId,
  explorationId,
  instant,
  repoName,
  runId,
  sha,
  taskId,
  taskIdOf,
} from "../../src/domain/ids.ts";
import type { Run, RunOutcome } from "../../src/domain/run.ts";
import type { Signal } from "../../src/domain/signal.ts";
import type { Task, TaskSpec, ClaimHold } from "../../src/domain/task.ts";
import type { Verdict } from "../../src/domain/verification.ts";
import type { RepoMemory } from "../../src/ports/store.ts";

export const REPO = repoName("octo/app");
export const OTHER_REPO = repoName("octo/other");
export const NOW = instant(1_700_000_000_000);
export const HOUR_MS = 60 * 60 * 1000;

/** A git object name that is recognizable in a failure. */
export function shaOf(n: number): ReturnType<typeof sha> {
  return sha(n.toString(16).padStart(40, "0"));
}

export function aSpec(members: Partial<TaskSpec> = {}): TaskSpec {
  return {
    title: "Sort the list",
    body: "It is not sorted.",
    claims: [{ mode: "write", pattern: "src/list.ts" }],
    dependsOn: [],
    parallelSafe: true,
    exclusive: false,
    priority: "normal",
    size: undefined,
    runner: undefined,
    parent: undefined,
    invalid: undefined,
    ...members,
  };
}

export function aTask(members: Partial<Task> = {}): Task {
  const repo = members.repo ?? REPO;
  const issue = members.issue ?? 1;
  return {
    id: taskIdOf(repo, issue),
    repo,
    issue,
    cardId: `card-${issue}`,
    spec: aSpec(),
    specHash: "spec-1",
    state: "waiting",
    reason: "waits for a slot",
    wave: undefined,
    attempts: 0,
    failures: 0,
    notBefore: undefined,
    branch: undefined,
    pull: undefined,
    landedSha: undefined,
    readySince: NOW,
    changedAt: NOW,
    acceptedBy: undefined,
    acceptedAt: undefined,
    acceptedText: undefined,
    disregarded: undefined,
    strayedAt: undefined,
    ...members,
  };
}

export function aRun(members: Partial<Run> = {}): Run {
  return {
    id: runId("run-1"),
    task: taskId("octo/app#1"),
    specHash: "spec-1",
    attempt: 1,
    contender: 1,
    rework: undefined,
    runner: "shell",
    branch: "wavetrain/1",
    state: "queued",
    workspace: undefined,
    baseSha: undefined,
    logPath: undefined,
    queuedAt: NOW,
    startedAt: undefined,
    finishedAt: undefined,
    heartbeatAt: undefined,
    outcome: undefined,
    usage: undefined,
    session: undefined,
    ...members,
  };
}

export function anEntry(members: Partial<Entry> = {}): Entry {
  return {
    id: entryId("entry-1"),
    repo: REPO,
    base: "main",
    task: taskId("octo/app#1"),
    pull: 11,
    head: shaOf(7),
    approvedBy: ["ada"],
    state: "queued",
    reason: "approved",
    batch: undefined,
    place: undefined,
    candidate: undefined,
    evidence: undefined,
    notBefore: undefined,
    refusedUnder: undefined,
    landedSha: undefined,
    enqueuedAt: NOW,
    changedAt: NOW,
    ...members,
  };
}

export function anExploration(members: Partial<Exploration> = {}): Exploration {
  const task = members.task ?? taskId("octo/app#1");
  const attempt = members.attempt ?? 1;
  return {
    id: explorationId(task, attempt),
    repo: REPO,
    task,
    attempt,
    specHash: "spec-1",
    runner: "shell",
    base: shaOf(1),
    state: "exploring",
    plan: aPlan(),
    levels: [],
    stop: undefined,
    end: undefined,
    openedAt: NOW,
    changedAt: NOW,
    ...members,
  };
}

export function aPlan(members: Partial<ExplorePlan> = {}): ExplorePlan {
  return {
    ideas: ["a", "b"].map((name) => ({ name, text: `try ${name}` })),
    depth: 2,
    beam: 2,
    strict: false,
    score: { name: "speed", best: "high", run: "./score.sh", files: [] },
    baseScore: 0,
    retries: 1,
    maxLost: 10,
    expected: { evaluations: 6 },
    ...members,
  };
}

/** What `aTask()` holds for `aRun()`. */
export function aHold(members: Partial<ClaimHold> = {}): ClaimHold {
  const { claims } = aSpec();
  return { task: aRun().task, run: aRun().id, claims, fence: 1, takenAt: NOW, ...members };
}

export function aMemory(members: Partial<RepoMemory> = {}): RepoMemory {
  return {
    tasks: [],
    runs: [],
    entries: [],
    explorations: [],
    intents: [],
    trains: [],
    holds: [],
    fence: 0,
    ...members,
  };
}

export function anIntent(members: Partial<Intent> = {}): Intent {
  return {
    key: "push:run-1",
    repo: REPO,
    kind: "open-pull-request",
    subject: "run-1",
    detail: { branch: "wavetrain/1", attempt: 1 },
    openedAt: NOW,
    ...members,
  };
}

export function aSignal(members: Partial<Signal> = {}): Signal {
  return {
    deliveryId: "delivery-1",
    event: "issues",
    action: "labeled",
    owner: "octo",
    repo: REPO,
    receivedAt: NOW,
    ...members,
  };
}

export const SUCCEEDED: Extract<RunOutcome, { kind: "succeeded" }> = {
  kind: "succeeded",
  head: shaOf(7),
  files: ["src/list.ts"],
  outside: [],
  notes: "sorted",
};

export function anIssue(members: Partial<Issue> = {}): Issue {
  return {
    repo: REPO,
    number: 1,
    nodeId: "issue-1",
    title: "Sort the list",
    body: "It is not sorted.",
    state: "open",
    labels: [],
    parent: undefined,
    blockedBy: [],
    ...members,
  };
}

export function aCard(members: Partial<Card> = {}): Card {
  const issue = members.issue ?? anIssue();
  return { id: `card-${issue.number}`, issue, role: "ready", movedAt: NOW, ...members };
}

/** An approved pull request, the one of `aTask({ pull: 11 })` and `anEntry()`. */
export function aPull(members: Partial<PullRequest> = {}): PullRequest {
  return {
    number: 11,
    nodeId: "pull-11",
    title: "Sort the list",
    branch: "wavetrain/1",
    base: "main",
    head: shaOf(7),
    state: "open",
    draft: false,
    review: "approved",
    changesRequested: [],
    checksFailed: false,
    approvedBy: ["ada"],
    approvedByBots: [],
    approvedHead: shaOf(7),
    ...members,
  };
}

export function aReading(members: Partial<RepoReading> = {}): RepoReading {
  return { board: { cards: [], missingRoles: [] }, pulls: [], readAt: NOW, ...members };
}

/** Of `anEntry()` alone. */
export function aCandidate(members: Partial<Candidate> = {}): Candidate {
  const step = { entry: entryId("entry-1"), head: shaOf(7), commit: shaOf(4), tree: shaOf(3) };
  return {
    base: shaOf(1),
    method: "squash",
    steps: [step],
    tree: shaOf(3),
    commit: shaOf(4),
    ...members,
  };
}

export function aVerdict(members: Partial<Verdict> = {}): Verdict {
  return {
    id: "verdict-1",
    repo: REPO,
    tree: shaOf(3),
    commandHash: "hash",
    command: "npm test",
    verdict: "green",
    tail: "",
    logPath: undefined,
    startedAt: NOW,
    at: NOW,
    ...members,
  };
}

export function someEvidence(members: Partial<Evidence> = {}): Evidence {
  return {
    candidate: aCandidate(),
    command: "npm test",
    verdict: "green",
    tail: "",
    startedAt: NOW,
    finishedAt: NOW,
    ...members,
  };
}
