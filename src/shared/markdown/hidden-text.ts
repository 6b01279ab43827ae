/** A text can hold these things and its page does not show them; the words fit into a sentence. */
export type LeftOut =
  | "comments"
  | "attributes of HTML tags"
  | "HTML tags that do not end"
  | "HTML tags that GitHub does not know"
  | "declarations and instructions of HTML"
  | "HTML elements that are not shown"
  | "titles of links and images"
  | "alternative texts of images"
  | "addresses of links without words"
  | "addresses that GitHub takes out"
  | "definitions of links"
  | "footnotes that nothing refers to"
  | "words beside the language of a code block"
  | "text behind a drawing"
  | "maths that can hide text"
  | "characters that cannot be seen";

export interface Code {
  readonly language: string;
  /** It is undefined where nothing of it is shown as text. */
  readonly text: string | undefined;
  readonly leftOut?: LeftOut;
}

const LANGUAGE = /^[A-Za-z][A-Za-z0-9+#.-]{0,19}$/;
/** These are shown as a map or a model, and their text nowhere. */
const DRAWN = ["geojson", "topojson", "stl"];
/** Mermaid reads these lines and does not draw them. */
const UNDRAWN = /^[ \t]*(?:%%|acc(?:Title|Descr)\b).*(?:\n|$)/gm;
/** These commands of LaTeX show what they are given, and nothing else: with any other a formula can hide text. */
const SHOWING = new Set(
  [
    "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi varphi chi psi omega",
    "Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega hbar ell infty partial nabla forall exists emptyset varnothing aleph",
    "frac dfrac tfrac cfrac binom sqrt sum prod int iint oint lim limsup liminf max min sup inf log ln exp sin cos tan arcsin arccos arctan det gcd Pr arg deg dim ker",
    "cdot cdots ldots dots vdots ddots times div pm mp ast star circ bullet oplus otimes cup cap setminus land lor lnot neg wedge vee",
    "le leq ge geq ne neq lt gt ll gg approx equiv sim simeq cong propto in notin ni subset subseteq supset supseteq mid nmid parallel perp mod bmod pmod",
    "to gets mapsto rightarrow leftarrow leftrightarrow Rightarrow Leftarrow Leftrightarrow implies iff uparrow downarrow longrightarrow",
    "left right big Big bigg Bigg lfloor rfloor lceil rceil langle rangle lvert rvert vert Vert lbrace rbrace",
    "text mathrm mathbf mathit mathsf mathtt mathbb mathcal mathfrak operatorname bar hat tilde vec dot ddot overline underline",
    "begin end hline quad qquad limits nolimits displaystyle prime colon",
  ].flatMap((line) => line.split(" ")),
);

/** Every backslash may be what Markdown leaves of one or of several. */
const COMMAND = /\\+([A-Za-z]+)/g;
const REMARK = /%[^\n]*\w/;

/** Returns what is seen of a block of code. Its first word chooses the colours or the drawing; the others show nowhere. */
export function readFence(info: string, content: string): Code {
  const [first = "", ...more] = info.trim().split(/\s+/);
  const language = LANGUAGE.test(first) ? first : "";
  const kind = language.toLowerCase();
  if (DRAWN.includes(kind)) return { language, text: undefined, leftOut: "text behind a drawing" };
  if (kind === "math" && canHide(content)) {
    return { language, text: undefined, leftOut: "maths that can hide text" };
  }
  const text = kind === "mermaid" ? content.replace(UNDRAWN, "") : content;
  if (text !== content) return { language, text, leftOut: "text behind a drawing" };
  const isPlain = more.length === 0 && language === first;
  return isPlain
    ? { language, text }
    : { language, text, leftOut: "words beside the language of a code block" };
}

/** Finds formulas that can hide text: `$…$` and `$$…$$`, as generously as GitHub could take them. */
export function hidingFormulas(text: string): readonly (readonly [from: number, to: number])[] {
  const found: [number, number][] = [];
  const ends = text.includes("$") ? [...text.matchAll(CLOSING)].map(({ index }) => index) : [];
  let [done, next] = [0, 0];
  for (const { 0: mark, index } of text.matchAll(MARK)) {
    if (index < done) continue;
    const inner = index + mark.length;
    while ((ends[next] ?? Infinity) <= inner) next += 1;
    const end = mark === "$" ? ends[next] : indexIn(text, mark, inner);
    if (end === undefined) continue;
    const hides = canHide(text.slice(inner, end));
    if (hides) found.push([index, end + mark.length]);
    // Everything inside a formula that hides nothing is seen; its end may begin another formula.
    done = hides ? end + mark.length : end;
  }
  return found;
}

/** Tells whether people may not see all of it: white or transparent writing, remarks, macros, things on top of each other. */
function canHide(formula: string): boolean {
  if (REMARK.test(formula)) return true;
  return [...formula.matchAll(COMMAND)].some(([, name = ""]) => !SHOWING.has(name));
}

const MARK = /\${1,2}/g;
const CLOSING = /(?<![\s\\$])\$(?![\d$])/g;

function indexIn(text: string, mark: string, from: number): number | undefined {
  const index = text.indexOf(mark, from);
  return index < 0 ? undefined : index;
}
