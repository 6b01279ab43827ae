/** Commands of LaTeX that show what they are given, and nothing else: with any other a formula can hide text. */
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

/** Whether people may not see all of it: white or transparent writing, remarks, macros, things on top of each other. */
export function canHide(formula: string): boolean {
  if (REMARK.test(formula)) return true;
  return [...formula.matchAll(COMMAND)].some(([, name = ""]) => !SHOWING.has(name));
}

const MARK = /\${1,2}/g;
const CLOSING = /(?<![\s\\$])\$(?![\d$])/g;

/** Where formulas are that can hide text: `$…$` and `$$…$$`, as generously as GitHub could take them. */
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
    // What is inside a formula that shows everything shows as well; its end may begin another.
    done = hides ? end + mark.length : end;
  }
  return found;
}

function indexIn(text: string, mark: string, from: number): number | undefined {
  const index = text.indexOf(mark, from);
  return index < 0 ? undefined : index;
}
