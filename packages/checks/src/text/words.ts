import { once } from "./fold.ts";

/** Words for numbers in one language, folded. Intl cannot spell numbers, hence one small table a locale. */
interface NumberWords {
  /** From 2 on. */
  readonly count: string;
  /** From 20 in steps of ten. */
  readonly tens: string;
  /** Between ten and one where they are joined: `twenty-five`; `unds` joins one before ten. */
  readonly joined?: "-" | "und";
  readonly ones?: string;
  readonly fractions: Readonly<Record<string, number>>;
  readonly multiples: Readonly<Record<string, number>>;
}

const THIRD = 1 / 3;

const NUMBER_WORDS: Readonly<Record<string, NumberWords>> = {
  en: {
    count:
      "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
    tens: "twenty thirty forty fifty sixty seventy eighty ninety",
    joined: "-",
    ones: "one two three four five six seven eight nine",
    fractions: {
      half: 0.5,
      third: THIRD,
      thirds: THIRD,
      quarter: 0.25,
      quarters: 0.25,
      fifth: 0.2,
      fifths: 0.2,
      tenth: 0.1,
      tenths: 0.1,
    },
    multiples: {
      twice: 2,
      double: 2,
      doubled: 2,
      doubles: 2,
      triple: 3,
      tripled: 3,
      triples: 3,
      quadrupled: 4,
      quadruple: 4,
    },
  },
  de: {
    count:
      "zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn sechzehn siebzehn achtzehn neunzehn",
    tens: "zwanzig dreissig vierzig funfzig sechzig siebzig achtzig neunzig",
    joined: "und",
    ones: "ein zwei drei vier funf sechs sieben acht neun",
    fractions: { halfte: 0.5, drittel: THIRD, viertel: 0.25, funftel: 0.2, zehntel: 0.1 },
    multiples: {
      doppelt: 2,
      verdoppelt: 2,
      verdoppelte: 2,
      dreimal: 3,
      dreifach: 3,
      verdreifacht: 3,
      viermal: 4,
      vierfach: 4,
    },
  },
  fr: {
    count:
      "deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf",
    tens: "vingt trente quarante cinquante soixante",
    joined: "-",
    ones: "un deux trois quatre cinq six sept huit neuf",
    fractions: { moitie: 0.5, tiers: THIRD, quart: 0.25, quarts: 0.25, cinquieme: 0.2, dixieme: 0.1 },
    multiples: { triple: 3, quadruple: 4 },
  },
  es: {
    count: "dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince",
    tens: "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
    fractions: { mitad: 0.5, tercio: THIRD, tercios: THIRD, cuarto: 0.25, cuartos: 0.25 },
    multiples: { doble: 2, triple: 3 },
  },
  it: {
    count: "due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici",
    tens: "venti trenta quaranta cinquanta sessanta settanta ottanta novanta",
    fractions: { meta: 0.5, terzo: THIRD, terzi: THIRD, quarto: 0.25, quarti: 0.25 },
    multiples: { doppio: 2, triplo: 3 },
  },
  nl: {
    count: "twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien",
    tens: "twintig dertig veertig vijftig zestig zeventig tachtig negentig",
    fractions: { helft: 0.5, derde: THIRD, kwart: 0.25 },
    multiples: { dubbel: 2, verdubbeld: 2 },
  },
  pt: {
    count: "dois tres quatro cinco seis sete oito nove dez onze doze treze catorze quinze",
    tens: "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa",
    fractions: { metade: 0.5, terco: THIRD, tercos: THIRD, quarto: 0.25, quartos: 0.25 },
    multiples: { dobro: 2, triplo: 3 },
  },
};

/** These are read in every text: an answer in one of them often rests on passages in another. */
const ALWAYS_READ = ["en", "de", "fr"];

/** What a number word stands for. A fraction or multiple says something of two other figures. */
export type NumberWord =
  | { readonly kind: "count"; readonly value: number }
  | { readonly kind: "fraction"; readonly value: number }
  | { readonly kind: "multiple"; readonly value: number };

const commonWords = once(() => {
  const words = new Map<string, NumberWord>();
  for (const locale of ALWAYS_READ) addWords(words, locale);
  words.set("hundred", { kind: "count", value: 100 });
  words.set("dozen", { kind: "count", value: 12 });
  words.set("zero", { kind: "count", value: 0 });
  words.set("null", { kind: "count", value: 0 });
  words.set("eins", { kind: "count", value: 1 });
  return words;
});

const ownWords = once(() => {
  const tables = new Map<string, ReadonlyMap<string, NumberWord>>();
  for (const locale of Object.keys(NUMBER_WORDS)) {
    const words = new Map<string, NumberWord>();
    addWords(words, locale);
    tables.set(locale, words);
  }
  return tables;
});

function addWords(words: Map<string, NumberWord>, locale: string): void {
  const table = NUMBER_WORDS[locale];
  if (table === undefined) return;
  const tens = table.tens.split(" ");
  const ones = table.ones?.split(" ") ?? [];
  for (const [index, word] of table.count.split(" ").entries())
    words.set(word, { kind: "count", value: index + 2 });
  for (const [index, ten] of tens.entries()) {
    words.set(ten, { kind: "count", value: (index + 2) * 10 });
    for (const [at, one] of ones.entries())
      words.set(table.joined === "und" ? `${one}und${ten}` : `${ten}-${one}`, {
        kind: "count",
        value: (index + 2) * 10 + at + 1,
      });
  }
  for (const [word, value] of Object.entries(table.fractions)) words.set(word, { kind: "fraction", value });
  for (const [word, value] of Object.entries(table.multiples)) words.set(word, { kind: "multiple", value });
}

/** What a folded word means as a number, in English, German, French and the language of the text. */
/** Days between two times of what happens `weekly`, `vierzehntäglich` or `tous les mois` in one word. Folded. */
const PERIODIC: readonly (readonly [number, RegExp])[] = [
  [1, /^(?:daily|taglich\p{L}{0,2}|quotidien\p{L}{0,4})$/u],
  [7, /^(?:weekly|wochentlich\p{L}{0,2}|hebdomadaire\p{L}{0,4})$/u],
  [
    14,
    /^(?:fortnight|fortnightly|vierzehntaglich\p{L}{0,2}|zweiwochentlich\p{L}{0,2}|bimensuel\p{L}{0,2})$/u,
  ],
  [30.4375, /^(?:monthly|monatlich\p{L}{0,2}|mensuel\p{L}{0,4})$/u],
  [91.3125, /^(?:quarterly|vierteljahrlich\p{L}{0,2}|trimestriel\p{L}{0,4})$/u],
  [182.625, /^(?:halbjahrlich\p{L}{0,2}|semestriel\p{L}{0,4})$/u],
  [365.25, /^(?:yearly|annually|annual|jahrlich\p{L}{0,2}|annuel\p{L}{0,4})$/u],
];

export function everyPeriod(word: string): number | undefined {
  return PERIODIC.find(([, pattern]) => pattern.test(word))?.[0];
}

export function numberWord(word: string, language: string | undefined): NumberWord | undefined {
  const own = language === undefined ? undefined : ownWords().get(language.slice(0, 2));
  return own?.get(word) ?? commonWords().get(word);
}
