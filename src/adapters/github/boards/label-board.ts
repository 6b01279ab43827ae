import { labelNames, ROLES } from "../../../config/repository/label-names.ts";
import type { LabelNames } from "../../../config/repository/label-names.ts";
import type { RepoConfig } from "../../../config/schema/repo-config.ts";
import type { Card, ColumnRole, RepoReading } from "../../../domain/board.ts";
import { nameOf, ownerOf } from "../../../domain/ids.ts";
import type { RepoName } from "../../../domain/ids.ts";
import type { CardMove, CardUpdate } from "../../../ports/github.ts";
import { AppError } from "../../../shared/app-error.ts";
import { quote } from "../../../shared/quote.ts";
import { ownerAndRepo } from "../connection/connection.ts";
import type { Connection } from "../connection/connection.ts";
import { httpFailureOf } from "../connection/github-failure.ts";
import { Portion } from "../connection/portion.ts";
import { wholeIssues, wholePulls } from "../reading/long-lists.ts";
import type { Query } from "../reading/long-lists.ts";
import { issueFromNode, present, pullFromNode } from "../reading/parse-reading.ts";
import type { LabelledIssueNode, LabelPage, PullNode } from "../reading/reading-nodes.ts";
import { LABEL_READING } from "../reading/reading-query.ts";
import { collectPages, LARGEST_PAGE } from "./board-pages.ts";
import type { Cursor } from "./board-pages.ts";
import { MutationDocument } from "./mutation-document.ts";
import type { RepoBoard } from "./project-board.ts";

/** An update needs these facts; they are remembered from the last reading. */
interface KnownLabels {
  readonly ids: Map<ColumnRole, string>;
  /** It maps each issue to the roles that it has labels of. */
  readonly held: Map<string, ReadonlySet<ColumnRole>>;
  readonly cards: readonly Card[];
  /** These roles had a label once and have none any more. */
  readonly gone: ReadonlySet<ColumnRole>;
}

/** GitHub shows these colours and texts with the labels. */
const LOOKS: Readonly<
  Record<ColumnRole, { readonly color: string; readonly description: string }>
> = {
  ready: { color: "0e8a16", description: "Work to do" },
  running: { color: "fbca04", description: "A run is at work" },
  review: { color: "1d76db", description: "A pull request waits for a person" },
  queued: { color: "5319e7", description: "Approved; in the train" },
  done: { color: "cccccc", description: "Landed" },
  blocked: { color: "b60205", description: "Cannot be planned or was given up" },
};

/** The board consists of the issues that carry one of its labels. A move takes one label off and puts another on. */
export function createLabelBoard(connection: Connection, now: () => number): RepoBoard {
  const known = new Map<RepoName, KnownLabels>();
  const moves = new RecentMoves();
  const portion = new Portion(LARGEST_PAGE, now);

  async function read(repo: RepoName, config: RepoConfig): Promise<RepoReading> {
    const readAt = now();
    const names = labelNames(config.board);
    const { first, items, pulls } = await wholeLists(
      connection,
      repo,
      await collectPages((cursor) => readPage(connection, { repo, config, cursor, portion }), {
        items: (page: LabelPage) => page.repository?.issues,
        pulls: (page: LabelPage) => {
          connection.check(repo, page.repository);
          return page.repository?.pullRequests;
        },
      }),
    );
    const labels = withBereft(labelsOf(first, items, config), known.get(repo));
    for (const [id, held] of labels.held) labels.held.set(id, moves.joined(id, held, readAt));
    moves.forgetBefore(readAt);
    known.set(repo, labels);
    const hints = [...labels.gone].map((role) => hintOf(role, names));
    return {
      board: { cards: labels.cards, missingRoles: [], hints },
      pulls: pulls.map(pullFromNode),
      readAt,
    };
  }

  async function update(repo: RepoName, config: RepoConfig, update: CardUpdate): Promise<void> {
    if (update.moves.length === 0) return;
    if (!known.has(repo)) await read(repo, config);
    const labels = known.get(repo);
    if (labels === undefined) return;
    for (const role of new Set(update.moves.map((move) => move.role))) {
      if (labels.ids.has(role)) continue;
      labels.ids.set(role, await createLabel(connection, repo, { board: config.board, role }));
    }
    const { query, variables } = moveDocument(update.moves, labels);
    moves.begin(update.moves);
    await connection
      .call(repo, "change labels", (client) => client.graphql(query, variables))
      .finally(() => moves.end(update.moves, now()));
    for (const { cardId, role } of update.moves) labels.held.set(cardId, new Set([role]));
  }

  // The newest issue of the repository tells of every label.
  return { read, update, isUnchanged: () => Promise.resolve(true) };
}

/**
 * A reading that began before a move ended may show the labels of before it. Until a later reading comes, the issue counts as having
 * the label of the move as well, so that the next move takes it off.
 */
class RecentMoves {
  readonly #moves = new Map<string, { readonly role: ColumnRole; readonly endedAt: number }>();

  begin(moves: readonly CardMove[]): void {
    this.end(moves, Infinity);
  }

  end(moves: readonly CardMove[], endedAt: number): void {
    for (const { cardId, role } of moves) this.#moves.set(cardId, { role, endedAt });
  }

  joined(card: string, held: ReadonlySet<ColumnRole>, readAt: number): ReadonlySet<ColumnRole> {
    const move = this.#moves.get(card);
    return move !== undefined && move.endedAt >= readAt ? new Set([...held, move.role]) : held;
  }

  forgetBefore(readAt: number): void {
    for (const [card, { endedAt }] of this.#moves) if (endedAt < readAt) this.#moves.delete(card);
  }
}

/** Most issues and pull requests have no long list, and then nothing more is asked. */
function wholeLists<
  Read extends {
    readonly items: readonly LabelledIssueNode[];
    readonly pulls: readonly PullNode[];
  },
>(connection: Connection, repo: RepoName, read: Read): Promise<Read> {
  return connection.call(repo, "read the board", async ({ graphql }) => {
    const query: Query = (document, variables) => graphql(document, variables);
    const items = await wholeIssues(query, read.items);
    return { ...read, items, pulls: await wholePulls(query, read.pulls) };
  });
}

async function readPage(
  connection: Connection,
  request: {
    readonly repo: RepoName;
    readonly config: RepoConfig;
    readonly cursor: Cursor;
    readonly portion: Portion;
  },
): Promise<LabelPage> {
  const { repo, config, cursor, portion } = request;
  const names = labelNames(config.board);
  // Issues that are done are not read, because there are more of them every day.
  const labels = ROLES.filter((role) => role !== "done").map((role) => names[role]);
  const variables = { owner: ownerOf(repo), name: nameOf(repo), labels, ...names, ...cursor };
  const page = await connection.call(repo, "read the board", (client) =>
    portion.ask((size) => client.graphql<LabelPage>(LABEL_READING, { ...variables, size })),
  );
  if (page.repository !== null) return page;
  throw new AppError("board-unreadable", `the issues of ${repo} cannot be read`);
}

function labelsOf(
  { repository }: LabelPage,
  items: readonly LabelledIssueNode[],
  config: RepoConfig,
): KnownLabels {
  const ids = ROLES.flatMap((role) => {
    const label = repository?.[role];
    return label ? [[role, label.id] as const] : [];
  });
  const names = labelNames(config.board);
  return {
    ids: new Map(ids),
    held: new Map(items.map((node) => [node.id, rolesHeld(node, names)])),
    cards: items.map((node) => cardFromLabels(node, names)),
    gone: new Set(),
  };
}

/** Returns the roles that the issue has labels of. GitHub ignores the case of labels. */
function rolesHeld(node: LabelledIssueNode, names: LabelNames): ReadonlySet<ColumnRole> {
  const labels = new Set(present(node.labels?.nodes).map(({ name }) => name.toLowerCase()));
  return new Set(ROLES.filter((role) => labels.has(names[role].toLowerCase())));
}

/**
 * The label that was put on last says where the issue is, because people add `ready` to a blocked issue without taking `blocked`
 * off. If GitHub has no record of that label, the order of the roles decides, and the issue's creation counts as the time.
 */
function cardFromLabels(node: LabelledIssueNode, names: LabelNames): Card {
  const held = rolesHeld(node, names);
  const roleOf = (label: string | undefined): ColumnRole | undefined =>
    ROLES.find((role) => held.has(role) && names[role].toLowerCase() === label?.toLowerCase());
  const last = present(node.timelineItems.nodes).findLast(
    ({ label }) => roleOf(label?.name) !== undefined,
  );
  return {
    id: node.id,
    issue: issueFromNode(node),
    role: roleOf(last?.label?.name) ?? [...held][0],
    movedAt: Date.parse(last?.createdAt ?? node.createdAt),
  };
}

/**
 * A person who renames or deletes a label takes it off every issue without meaning to move any. Issues that are past `ready` stay
 * where they were as long as this process runs.
 */
function withBereft(now: KnownLabels, before: KnownLabels | undefined): KnownLabels {
  if (before === undefined) return now;
  const gone = new Set(
    ROLES.filter((role) => !now.ids.has(role) && (before.ids.has(role) || before.gone.has(role))),
  );
  const bereft = before.cards.flatMap((card) => {
    const [role, ...others] = before.held.get(card.id) ?? [];
    const isBereft = role !== undefined && role !== "ready" && gone.has(role);
    return isBereft && others.length === 0 && !now.held.has(card.id) ? [{ ...card, role }] : [];
  });
  const held = bereft.map(({ id, role }) => [id, new Set([role])] as const);
  return {
    ids: now.ids,
    held: new Map([...now.held, ...held]),
    cards: [...now.cards, ...bereft],
    gone,
  };
}

function hintOf(role: ColumnRole, names: LabelNames): string {
  return `there is no label ${quote(names[role])} any more: make it again, or set board.labels.${role} to what it is called now`;
}

/** Creates the label of a role and returns its node id. If somebody created it meanwhile, that label is used. */
function createLabel(
  connection: Connection,
  repo: RepoName,
  { board, role }: { readonly board: RepoConfig["board"]; readonly role: ColumnRole },
): Promise<string> {
  const name = labelNames(board)[role];
  const at = { ...ownerAndRepo(repo), name };
  return connection.call(repo, `create the label ${name}`, async (client) => {
    try {
      return (await client.rest.issues.createLabel({ ...at, ...LOOKS[role] })).data.node_id;
    } catch (error) {
      if (httpFailureOf(error)?.status !== 422) throw error;
      return (await client.rest.issues.getLabel(at)).data.node_id;
    }
  });
}

/** Puts the new label on before the old ones come off, because an issue without any would look as if it was taken back. */
function moveDocument(moves: readonly CardMove[], { ids, held }: KnownLabels): MutationDocument {
  const document = new MutationDocument();
  const change = (mutation: string, issue: string, labels: readonly string[]): void => {
    if (labels.length === 0) return;
    const on = document.variable("ID!", issue);
    const which = document.variable("[ID!]!", labels);
    document.add(mutation, `labelableId: ${on}, labelIds: ${which}`, "clientMutationId");
  };
  for (const { cardId, role } of moves) {
    const old = [...(held.get(cardId) ?? [])].filter((one) => one !== role);
    change("addLabelsToLabelable", cardId, [ids.get(role) ?? ""]);
    change(
      "removeLabelsFromLabelable",
      cardId,
      old.flatMap((one) => ids.get(one) ?? []),
    );
  }
  return document;
}
