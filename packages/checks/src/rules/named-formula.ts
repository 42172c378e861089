import { readFacts } from "../text/facts.ts";
import { valueOf, type Figure } from "../text/numbers.ts";
import type { Emit } from "./arithmetic.ts";
import { ANY, emitTerm, type Term } from "./expressions.ts";

/** A calculation that a model wrote out, such as `(1.2 million - 0.9 million) / 0.9 million`. */
export type Formula =
  | { readonly figure: Figure }
  | { readonly operator: Operator; readonly left: Formula; readonly right: Formula };

type Operator = "+" | "-" | "*" | "/" | "^";

const OPERATORS: { readonly [sign: string]: Operator } = {
  "+": "+",
  "-": "-",
  "−": "-",
  "–": "-",
  "*": "*",
  "×": "*",
  "·": "*",
  x: "*",
  "/": "/",
  "÷": "/",
  ":": "/",
  "^": "^",
  "**": "^",
};
const PRECEDENCE: { readonly [operator in Operator]: number } = { "+": 1, "-": 1, "*": 2, "/": 2, "^": 3 };

/** Signs that may be a part of a number, a date or a word are operators between spaces, brackets or digits only. */
const TOKEN = /\s*(\*\*|[()+*×·÷^])\s*|(?<=[\d%)\s])\s*([-−–/])\s*(?=[(\d\s])|\s([x:])\s/gu;
const MAX_CHARS = 500;
const MAX_TOKENS = 120;

/** Undefined where the text is no calculation: a part of it has no number or several, or a bracket is open. */
export function parseFormula(text: string): Formula | undefined {
  if (text.length > MAX_CHARS) return undefined;
  const tokens = tokensOf(text.replace(/\s=[^=]*$/, ""));
  if (tokens.length < 3 || tokens.length > MAX_TOKENS) return undefined;
  let at = 0;
  const operand = (): Formula | undefined => {
    const token = tokens[at++];
    if (token !== "(") return token === undefined ? undefined : figureOf(token);
    const inner = expression(1);
    return tokens[at++] === ")" ? inner : undefined;
  };
  const expression = (least: number): Formula | undefined => {
    let left = operand();
    for (;;) {
      const operator = OPERATORS[tokens[at] ?? ""];
      if (left === undefined || operator === undefined || PRECEDENCE[operator] < least) return left;
      at++;
      const right = expression(PRECEDENCE[operator] + 1);
      left = right && { operator, left, right };
    }
  };
  const formula = expression(1);
  return at === tokens.length ? formula : undefined;
}

function tokensOf(text: string): readonly string[] {
  const tokens: string[] = [];
  let from = 0;
  for (const match of text.matchAll(TOKEN)) {
    tokens.push(text.slice(from, match.index).trim(), match[1] ?? match[2] ?? match[3] ?? "");
    from = match.index + match[0].length;
  }
  return [...tokens, text.slice(from).trim()].filter((token) => token !== "");
}

function figureOf(text: string): Formula | undefined {
  const { figures, dates, times } = readFacts(text);
  const [figure] = figures;
  return figure !== undefined && figures.length + dates.length + times.length === 1 ? { figure } : undefined;
}

/** Numbers that need no evidence: parts of a hundred, a year and a day, and the 1 that turns a ratio into a change. */
const CONSTANTS = new Set([1, 2, 4, 7, 12, 24, 30, 52, 60, 100, 365, 1000, 1024, 3600, 86_400, 1e6]);
/** Other whole numbers up to here may be multiplied or divided by beside two numbers of the evidence: six months. */
const MAX_COUNT = 31;
/** Of these only some are added or taken away: with others any number could be reached. */
const ADDED = new Set([1, 100]);

/**
 * Emits the result of a formula in the unit of the figure.
 * @param find the value of a number in evidence, undefined where it is in none
 * @param counts numbers of the sentence that may be multiplied or divided by
 */
export function fillFormula(
  formula: Formula,
  figure: Figure,
  {
    find,
    counts,
  }: { readonly find: (operand: Figure) => Term | undefined; readonly counts: ReadonlySet<number> },
  emit: Emit,
): void {
  const leaves = leavesOf(formula);
  const terms = new Map<Figure, Term>();
  for (const leaf of leaves) {
    const term = find(leaf);
    if (term !== undefined) terms.set(leaf, term);
  }
  if (terms.size === 0) return;
  const largest = terms.size > 1 ? MAX_COUNT : 0;
  for (const leaf of leaves) {
    if (terms.has(leaf)) continue;
    const value = valueOf(leaf);
    const isCount = counts.has(value) || (Number.isInteger(value) && value <= largest);
    if (leaf.unit !== undefined || !(CONSTANTS.has(value) || isCount)) return;
  }
  const readings: readonly ((term: Term) => number)[] = [
    ({ value, factor = 1 }) => value / factor,
    ({ value }) => value,
    ({ value, factor = 1, dimension }) => (dimension === "percent" ? value / 100 : value / factor),
  ];
  for (const read of readings) {
    const { value } = evaluate(formula, (leaf) => {
      const term = terms.get(leaf);
      return term && read(term);
    });
    if (Number.isFinite(value)) emitTerm({ value: Math.abs(value), dimension: ANY }, figure, emit);
  }
}

function leavesOf(node: Formula): readonly Figure[] {
  return "figure" in node ? [node.figure] : [...leavesOf(node.left), ...leavesOf(node.right)];
}

const APPLY: { readonly [operator in Operator]: (left: number, right: number) => number } = {
  "+": (left, right) => left + right,
  "-": (left, right) => left - right,
  "*": (left, right) => left * right,
  "/": (left, right) => left / right,
  "^": (left, right) => left ** right,
};

interface Result {
  readonly value: number;
  /** Made of constants only. */
  readonly isConstant: boolean;
}

/** NaN where a constant is added that may not be. `read` is undefined for a constant. */
function evaluate(node: Formula, read: (leaf: Figure) => number | undefined): Result {
  if ("figure" in node) {
    const value = read(node.figure);
    return { value: value ?? valueOf(node.figure), isConstant: value === undefined };
  }
  const left = evaluate(node.left, read);
  const right = evaluate(node.right, read);
  const isConstant = left.isConstant && right.isConstant;
  const isSum = node.operator === "+" || node.operator === "-";
  const isInvented = (side: Result): boolean => side.isConstant && !ADDED.has(side.value);
  if (isSum && !isConstant && (isInvented(left) || isInvented(right)))
    return { value: Number.NaN, isConstant };
  return { value: APPLY[node.operator](left.value, right.value), isConstant };
}
