import { valueOf, type Figure } from "./numbers.ts";

/** Values of sums and products that the sentence writes out: `400 k + 8 × 900 k`. */
export function formulasOf(text: string, figures: readonly Figure[]): readonly number[] {
  const digits = figures.filter(({ isWord }) => !isWord);
  const results: number[] = [];
  let values: number[] = [];
  let operators: string[] = [];
  const finish = (): void => {
    if (operators.length > 0) results.push(evaluate(values, operators));
    operators = [];
  };
  for (const [index, figure] of digits.entries()) {
    const previous = digits[index - 1];
    const between = previous === undefined ? "" : text.slice(previous.end, figure.start);
    const operator = between.length < 8 ? /^\s+([+×*·x/÷−-])\s+$|^\s*([+×*·÷])\s*$/.exec(between) : null;
    if (operator === null) {
      finish();
      values = [valueOf(figure)];
    } else {
      operators.push(operator[1] ?? operator[2] ?? "+");
      values.push(valueOf(figure));
    }
  }
  finish();
  return results;
}

function evaluate(values: readonly number[], operators: readonly string[]): number {
  let total = 0;
  let sign = 1;
  let term = values[0] ?? 0;
  for (const [index, operator] of operators.entries()) {
    const value = values[index + 1] ?? 0;
    if (/[×*·x]/.test(operator)) term *= value;
    else if (/[/÷]/.test(operator)) term /= value;
    else {
      total += sign * term;
      sign = operator === "+" ? 1 : -1;
      term = value;
    }
  }
  return total + sign * term;
}
