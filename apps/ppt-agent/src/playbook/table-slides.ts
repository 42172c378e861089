import { countWords, inBrief, MAX_WORDS, tableWords } from "./in-brief.ts";
import { leadsOf, pointSlides } from "./point-slides.ts";
import type { Section, Statement, Table } from "./read-briefing.ts";
import { noted, reference, slideOf, tableArgument, type Slide } from "./slide-arguments.ts";

/**
 * A table, its title the statement that says it in words, where that fits on the slide; and a slide of
 * what the table does not say. Where short forms say the same as the table, the table is enough.
 */
export function tableSlides(section: Section, table: Table): readonly Slide[] {
  const { heading, statements } = section;
  const numbers = new Set([...table.columns, ...table.rows.flat()].flatMap(numbersOf));
  const told = statements.filter((one) => sharedNumbers(one.text, numbers) >= 2);
  const { sources, ...argument } = tableArgument(table, MAX_WORDS - countWords(heading) - 2);
  const words = tableWords([argument["columns"], argument["rows"]].flat(2).map(String));
  const says = told.length === 0 && statements.length === 1 ? statements : told;
  const fitting = says.flatMap((of) =>
    [`${heading}: ${inBrief(of.text)}`, inBrief(of.text)].flatMap((title) =>
      countWords(title) + words <= MAX_WORDS ? [{ of, title }] : [],
    ),
  );
  const headline = fitting.find(({ title }) => title.startsWith(`${heading}: `)) ?? fitting[0];
  const others =
    leadsOf(statements).length > 0
      ? []
      : pointSlides(
          section,
          1,
          statements.filter((one) => !told.includes(one) && one !== headline?.of),
        );
  const cited = headline?.of.citations.map(reference) ?? [];
  const slide = slideOf(1, {
    kind: "table",
    title: headline?.title ?? (others.length === 0 ? heading : `${heading} in figures`),
    ...argument,
    sources: [...cited, ...(Array.isArray(sources) ? sources : [])].slice(0, 40),
    ...noted(
      (others.length === 0 ? statements : told).filter((one) => !headline?.title.endsWith(whole(one))),
    ),
  });
  const [first] = statements;
  const rest = others.map((other): Slide => ({ ...other, rank: 2 }));
  if (headline === undefined || headline.of !== first) return [...rest, slide];
  const title = `${heading} in detail`;
  return [slide, ...rest.map((other): Slide => ({ ...other, argument: { ...other.argument, title } }))];
}

const whole = ({ text }: Statement): string => text.replace(/\.$/, "");

const numbersOf = (text: string): readonly string[] =>
  (text.match(/\d+(?:[.,]\d+)*/g) ?? []).filter((n) => n.length > 1 && !/^(19|20)\d\d$/.test(n));

const sharedNumbers = (text: string, numbers: ReadonlySet<string>): number =>
  new Set(numbersOf(text).filter((n) => numbers.has(n))).size;
