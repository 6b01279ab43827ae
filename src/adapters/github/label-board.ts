import type { RepoConfig } from "../../config/schema.ts";
import type { Card, ColumnRole, RepoReading } from "../../domain/board.ts";
import type { RepoName } from "../../domain/ids.ts";
import { nameOf, ownerOf } from "../../domain/ids.ts";
import type { CardMove, CardUpdate } from "../../ports/github.ts";
import { AppError } from "../../shared/app-error.ts";
import { quote } from "../../shared/quote.ts";
import { collectPages } from "./collect-pages.ts";
import type { Cursor } from "./collect-pages.ts";
import type { Connection } from "./connection.ts";
import { createLabel } from "./create-label.ts";
import { labelNames, ROLES } from "../../config/label-names.ts";
import type { LabelNames } from "../../config/label-names.ts";
import { MutationDocument } from "./mutation-document.ts";
import { cardFromLabels, rolesHeld } from "./parse-labels.ts";
import { pullFromNode } from "./parse-reading.ts";
import { LABEL_READING } from "./reading-query.ts";
import type { LabelledIssueNode, LabelPage } from "./reading-nodes.ts";
import type { RepoBoard } from "./repo-board.ts";

/** What an update needs, remembered from the last reading. */
interface KnownLabels {
  readonly ids: Map<ColumnRole, string>;
  /** The roles that each issue has labels of. */
  readonly held: Map<string, ReadonlySet<ColumnRole>>;
  readonly cards: readonly Card[];
  /** Roles whose label was there and is not any more. */
  readonly gone: ReadonlySet<ColumnRole>;
}

/** The issues that carry a label of the board; a move takes one label off and puts another on. */
export function createLabelBoard(connection: Connection, now: () => number): RepoBoard {
  const known = new Map<RepoName, KnownLabels>();

  async function read(repo: RepoName, config: RepoConfig): Promise<RepoReading> {
    const readAt = now();
    const names = labelNames(config.board);
    const { first, items, pulls } = await collectPages(
      (cursor) => readPage(connection, { repo, config, cursor }),
      {
        items: (page: LabelPage) => page.repository?.issues,
        pulls: (page: LabelPage) => page.repository?.pullRequests,
      },
    );
    const labels = withBereft(labelsOf(first, items, config), known.get(repo));
    known.set(repo, labels);
    const hints = [...labels.gone].map((role) => hintOf(role, names));
    return {
      board: { cards: labels.cards, missingRoles: [], hints },
      pulls: pulls.map(pullFromNode),
      readAt,
    };
  }

  async function update(repo: RepoName, config: RepoConfig, { moves }: CardUpdate): Promise<void> {
    if (moves.length === 0) return;
    if (!known.has(repo)) await read(repo, config);
    const labels = known.get(repo);
    if (labels === undefined) return;
    for (const role of new Set(moves.map((move) => move.role))) {
      if (labels.ids.has(role)) continue;
      labels.ids.set(role, await createLabel(connection, repo, { board: config.board, role }));
    }
    const { query, variables } = moveDocument(moves, labels);
    await connection.call(repo, "change labels", (client) => client.graphql(query, variables));
    for (const { cardId, role } of moves) labels.held.set(cardId, new Set([role]));
  }

  return { read, update };
}

async function readPage(
  connection: Connection,
  request: { readonly repo: RepoName; readonly config: RepoConfig; readonly cursor: Cursor },
): Promise<LabelPage> {
  const { repo, config, cursor } = request;
  const names = labelNames(config.board);
  // Issues that are done are not read again: there are more of them every day.
  const labels = ROLES.filter((role) => role !== "done").map((role) => names[role]);
  const variables = { owner: ownerOf(repo), name: nameOf(repo), labels, ...names, ...cursor };
  const page = await connection.call(repo, "read the board", (client) =>
    client.graphql<LabelPage>(LABEL_READING, variables),
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

/**
 * Whoever renames or deletes a label takes it off every issue, and means none of them: those that are past `ready` stay where they
 * were, as long as this program remembers.
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

/** Puts the new label on before the old ones come off: an issue without any would look taken back. */
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
