/** Cards that are made ready at once, and the server that they meet. */
export interface Scene {
  readonly name: string;
  readonly cards: number;
  /** Of the cards: so many pairs write the same file. */
  readonly pairs: number;
  readonly agentMs: number;
  readonly slots: number;
  readonly repositories: number;
  /** GitHub's limits would make it last for hours. */
  readonly unlimited: boolean;
}

export interface Card {
  readonly id: string;
  /** Index of its repository. */
  readonly repository: number;
  readonly path: string;
}

const PLAIN = { pairs: 0, repositories: 1, unlimited: false };

export const SCENES: readonly Scene[] = [
  { ...PLAIN, name: "twelve", cards: 12, pairs: 2, agentMs: 5000, slots: 4 },
  { ...PLAIN, name: "forty", cards: 40, agentMs: 60_000, slots: 8 },
  { ...PLAIN, name: "hundred", cards: 100, agentMs: 2000, slots: 4 },
  { ...PLAIN, name: "hundred-in-five", cards: 100, agentMs: 2000, slots: 4, repositories: 5 },
  {
    ...PLAIN,
    name: "twelve-in-five",
    cards: 12,
    pairs: 2,
    agentMs: 5000,
    slots: 4,
    repositories: 5,
  },
];

/** Only on demand: it takes long. */
export const MANY: Scene = {
  ...PLAIN,
  name: "many",
  cards: 1000,
  agentMs: 100,
  slots: 8,
  unlimited: true,
};

/** Everything is in one folder, as in most repositories. The two of a pair are neighbours on the board. */
export function cardsOf({ cards, pairs, repositories }: Scene): readonly Card[] {
  return Array.from({ length: cards }, (_, at) => {
    const unit = at < 2 * pairs ? Math.floor(at / 2) : at - pairs;
    const path = at < 2 * pairs ? `src/pair-${unit}.txt` : `src/card-${at}.txt`;
    return { id: `c${at}`, repository: unit % repositories, path };
  });
}
