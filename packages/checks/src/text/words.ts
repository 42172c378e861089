import { once } from "./fold.ts";

/** Words for numbers in one language, folded. Intl cannot spell numbers, hence one small table a locale. */
interface NumberWords {
  /** From 2 on. */
  readonly count: string;
  /** From 20 in steps of ten. */
  readonly tens: string;
  /** How a ten and a one are joined: `twenty-five`, `fünfundzwanzig`, `ventotto`, `vijfentwintig`. */
  readonly joined?: "-" | "und" | "en" | "elided";
  readonly ones?: string;
  /** In one word, from 100 in steps of 100. */
  readonly hundreds?: string;
  /** Others, by their value. */
  readonly others?: Readonly<Record<string, number>>;
  readonly fractions: Readonly<Record<string, number>>;
  readonly multiples: Readonly<Record<string, number>>;
}

const THIRD = 1 / 3;

/** `soixante-douze`, `quatre-vingt-treize`, and what they are called in Belgium and Switzerland. */
function frenchFromSeventy(): Readonly<Record<string, number>> {
  const ones =
    "un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize".split(" ");
  const words: Record<string, number> = { "quatre-vingts": 80, "quatre-vingt": 80 };
  const below20 = [...ones, "dix-sept", "dix-huit", "dix-neuf"];
  for (const [index, one] of below20.entries()) {
    words[`quatre-vingt-${one}`] = 81 + index;
    if (index >= 9) words[`soixante-${one}`] = 61 + index;
  }
  for (const [index, ten] of ["vingt", "trente", "quarante", "cinquante", "soixante"].entries())
    words[`${ten}-et-un`] = (index + 2) * 10 + 1;
  words["soixante-et-onze"] = 71;
  for (const [ten, value] of [
    ["septante", 70],
    ["huitante", 80],
    ["octante", 80],
    ["nonante", 90],
  ] as const) {
    words[ten] = value;
    words[`${ten}-et-un`] = value + 1;
    for (const [index, one] of ones.slice(0, 9).entries()) words[`${ten}-${one}`] = value + index + 1;
  }
  return words;
}

function spanishTwenties(): Readonly<Record<string, number>> {
  const ones = "uno dos tres cuatro cinco seis siete ocho nueve".split(" ");
  return { veintiun: 21, ...Object.fromEntries(ones.map((one, index) => [`veinti${one}`, 21 + index])) };
}

/** `doscientas personas`. */
function feminineHundreds(): Readonly<Record<string, number>> {
  const stems = "doscient trescient cuatrocient quinient seiscient setecient ochocient novecient".split(" ");
  return Object.fromEntries(stems.map((stem, index) => [`${stem}as`, (index + 2) * 100]));
}

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
    hundreds:
      "einhundert zweihundert dreihundert vierhundert funfhundert sechshundert siebenhundert achthundert neunhundert",
    fractions: { halfte: 0.5, halbe: 0.5, drittel: THIRD, viertel: 0.25, funftel: 0.2, zehntel: 0.1 },
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
    others: frenchFromSeventy(),
    fractions: { moitie: 0.5, tiers: THIRD, quart: 0.25, quarts: 0.25, cinquieme: 0.2, dixieme: 0.1 },
    multiples: { triple: 3, quadruple: 4 },
  },
  es: {
    count:
      "dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve",
    tens: "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
    hundreds:
      "cien doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos",
    others: { ciento: 100, ...spanishTwenties(), ...feminineHundreds() },
    fractions: { mitad: 0.5, tercio: THIRD, tercios: THIRD, cuarto: 0.25, cuartos: 0.25 },
    multiples: { doble: 2, triple: 3 },
  },
  it: {
    count:
      "due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove",
    tens: "venti trenta quaranta cinquanta sessanta settanta ottanta novanta",
    joined: "elided",
    ones: "uno due tre quattro cinque sei sette otto nove",
    hundreds: "cento duecento trecento quattrocento cinquecento seicento settecento ottocento novecento",
    fractions: { meta: 0.5, terzo: THIRD, terzi: THIRD, quarto: 0.25, quarti: 0.25 },
    multiples: { doppio: 2, triplo: 3 },
  },
  nl: {
    count:
      "twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien",
    tens: "twintig dertig veertig vijftig zestig zeventig tachtig negentig",
    joined: "en",
    ones: "een twee drie vier vijf zes zeven acht negen",
    hundreds:
      "honderd tweehonderd driehonderd vierhonderd vijfhonderd zeshonderd zevenhonderd achthonderd negenhonderd",
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

/** Letters of a number word that is read in every text. */
const MIN_LONG_WORD = 9;

/** What a number word stands for. A fraction or multiple says something of two other figures. */
export type NumberWord =
  | { readonly kind: "count"; readonly value: number }
  | { readonly kind: "fraction"; readonly value: number }
  | { readonly kind: "multiple"; readonly value: number };

const commonWords = once(() => {
  const words = new Map<string, NumberWord>();
  for (const locale of ALWAYS_READ) addWords(words, locale);
  // `negenhonderd` is a number in any text, `set` and `once` are not.
  for (const others of ownWords().values())
    for (const [word, number] of others)
      if (number.kind === "count" && word.length >= MIN_LONG_WORD && !words.has(word))
        words.set(word, number);
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
      words.set(joinedWord(ten, one, table.joined), { kind: "count", value: (index + 2) * 10 + at + 1 });
  }
  for (const [index, word] of (table.hundreds?.split(" ") ?? []).entries())
    words.set(word, { kind: "count", value: (index + 1) * 100 });
  for (const [word, value] of Object.entries(table.others ?? {})) words.set(word, { kind: "count", value });
  for (const [word, value] of Object.entries(table.fractions)) words.set(word, { kind: "fraction", value });
  for (const [word, value] of Object.entries(table.multiples)) words.set(word, { kind: "multiple", value });
}

function joinedWord(ten: string, one: string, joined: NumberWords["joined"]): string {
  if (joined === "und" || joined === "en") return `${one}${joined}${ten}`;
  if (joined === "elided") return `${/^[aeiou]/.test(one) ? ten.slice(0, -1) : ten}${one}`;
  return `${ten}-${one}`;
}

/** Words for one, which are read beside a power of ten or "percent" alone. */
export const ONE_WORDS: ReadonlySet<string> = new Set(
  "a an one ein eine einer einen un une uno una um uma een".split(" "),
);

/** Days from one time to the next for `weekly`, `vierzehntäglich` and other such words. Folded. */
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

/** The number of days that a folded word such as `weekly` says. */
export function everyPeriod(word: string): number | undefined {
  return PERIODIC.find(([, pattern]) => pattern.test(word))?.[0];
}

/** What a folded word means as a number, in English, German, French and the language of the text. */
export function numberWord(word: string, language: string | undefined): NumberWord | undefined {
  const own = language === undefined ? undefined : ownWords().get(language.slice(0, 2));
  return own?.get(word) ?? commonWords().get(word);
}
