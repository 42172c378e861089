import { countWords } from "./in-brief.ts";
import { messageOf, shortMessageOf } from "./message.ts";
import type { Section, Statement } from "./read-briefing.ts";
import type { Slide } from "./slide-arguments.ts";
import { numbersOf, saysNumbers } from "./table-slides.ts";

export interface Told {
  readonly heading: string;
  readonly statement: Statement;
}

/** Fewer words that a statement begins with are no clause of it. */
const MIN_CLAUSE_WORDS = 4;

/** Of each part the first statement that a slide has, in whole or in short; a part that no slide has a statement of has none. */
export function toldBy(slides: readonly Slide[], sections: readonly Section[]): readonly Told[] {
  return sections.flatMap((section): readonly Told[] => {
    const of = slides.flatMap((slide) =>
      (slide.shows ?? []).flatMap((one) => (one.section === section ? [{ slide, one }] : [])),
    );
    const own = of.flatMap(({ slide, one }) => (one.statement === undefined ? [shownBy(slide)] : []));
    const statement =
      section.statements.find((said) => own.some((shown) => states(shown, said))) ??
      of.find(({ one }) => one.statement !== undefined)?.one.statement;
    return statement === undefined ? [] : [{ heading: section.heading, statement }];
  });
}

interface ShownText {
  /** Without the full stop. */
  readonly texts: readonly string[];
  /** In the cells of its table. */
  readonly numbers: ReadonlySet<string>;
}

/** What stands on a slide, its notes apart. */
function shownBy({ argument }: Slide): ShownText {
  const { title, points, takeaways, columns, rows } = argument;
  const cells = [columns, rows].flat(2).flatMap((cell) => (typeof cell === "string" ? [cell] : []));
  const texts = [title, points, takeaways].flat().flatMap((one) => {
    const text = typeof one === "object" && one !== null && "text" in one ? one["text"] : one;
    return typeof text === "string" ? [text] : [];
  });
  return {
    texts: [...texts, ...cells].map(bare),
    numbers: new Set(cells.flatMap(numbersOf)),
  };
}

/** Whether a slide has the statement, its first clause, also behind a heading or a date, or its message; or its numbers in a table. */
function states({ texts, numbers }: ShownText, statement: Statement): boolean {
  const whole = bare(statement.text);
  const begins = (text: string): boolean =>
    text === whole || (countWords(text) >= MIN_CLAUSE_WORDS && whole.startsWith(text));
  const messages = [statement.lead, messageOf(statement), shortMessageOf(statement)].flatMap((one) =>
    one === undefined ? [] : [bare(one)],
  );
  return (
    texts.some(
      (text) =>
        begins(text) ||
        begins(text.replace(/^[^:]*: /, "")) ||
        messages.some((message) => text.endsWith(message)),
    ) || saysNumbers(statement.text, numbers)
  );
}

const bare = (text: string): string => text.replace(/[.…]$/, "");
