/** In which order items are packed: `as-given`, `largest-first` or `smallest-first`. */
const ORDER = "as-given";
/** Which box takes an item: the `last` one, or of those with room the `first`, the `fullest` or the `emptiest`. */
const CHOICE = "last";

const ORDERS = {
  "as-given": (items) => items,
  "largest-first": (items) => items.toSorted((a, b) => b - a),
  "smallest-first": (items) => items.toSorted((a, b) => a - b),
};

const CHOICES = {
  last: (boxes) => boxes.at(-1),
  first: (boxes) => boxes[0],
  fullest: (boxes) => boxes.toSorted((a, b) => a.room - b.room)[0],
  emptiest: (boxes) => boxes.toSorted((a, b) => b.room - a.room)[0],
};

/** Packs items into as few boxes as it can. Returns what is in each box. */
export function pack(items, size) {
  const boxes = [];
  for (const item of ORDERS[ORDER](items)) {
    const open = CHOICE === "last" ? boxes.slice(-1) : boxes;
    const withRoom = open.filter(({ room }) => room >= item);
    const box = withRoom.length === 0 ? newBox(boxes, size) : CHOICES[CHOICE](withRoom);
    box.items.push(item);
    box.room -= item;
  }
  return boxes.map((box) => box.items);
}

function newBox(boxes, size) {
  const box = { room: size, items: [] };
  boxes.push(box);
  return box;
}
