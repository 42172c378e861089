import { fold, once } from "./fold.ts";

/** Something a figure is counted in. Figures of one dimension convert by their factors. */
export interface Unit {
  /** Such as `time`, `byte`, `percent`, `points` (of percent) or `currency:EUR`. */
  readonly dimension: string;
  /** In the base unit of the dimension. */
  readonly factor: number;
  /** Added before the factor: -32 of degrees Fahrenheit. */
  readonly offset?: number;
}

/** Cents of any currency. */
export const MINOR_CURRENCY = "currency:minor";

/** Whether values of the two can be compared: the same dimension, or money and cents. */
export function isComparable(a: string, b: string): boolean {
  if (a === b) return true;
  const isMoney = a.startsWith("currency:") && b.startsWith("currency:");
  return isMoney && (a === MINOR_CURRENCY || b === MINOR_CURRENCY);
}

/** A value in another unit of a comparable dimension. */
export function convert(value: number, from: Unit, to: Unit): number {
  return ((value + (from.offset ?? 0)) * from.factor) / to.factor - (to.offset ?? 0);
}

/** Locales whose names of units, months and countries are known, by way of Intl. */
export const LOCALES = ["en", "de", "fr", "es", "it", "nl", "pt"] as const;

const YEAR = 31_557_600;

/** Units that Intl has names of, with their dimension and factor. */
const INTL_UNITS: Readonly<Record<string, readonly [dimension: string, factor: number]>> = {
  second: ["time", 1],
  minute: ["time", 60],
  hour: ["time", 3600],
  day: ["time", 86_400],
  week: ["time", 604_800],
  month: ["time", YEAR / 12],
  year: ["time", YEAR],
  byte: ["byte", 1],
  kilobyte: ["byte", 1e3],
  megabyte: ["byte", 1e6],
  gigabyte: ["byte", 1e9],
  terabyte: ["byte", 1e12],
  petabyte: ["byte", 1e15],
  millimeter: ["length", 1e-3],
  centimeter: ["length", 1e-2],
  meter: ["length", 1],
  kilometer: ["length", 1e3],
  mile: ["length", 1609.344],
  foot: ["length", 0.3048],
  inch: ["length", 0.0254],
  yard: ["length", 0.9144],
  gram: ["mass", 1e-3],
  kilogram: ["mass", 1],
  pound: ["mass", 0.4536],
  ounce: ["mass", 0.02835],
  liter: ["volume", 1],
  milliliter: ["volume", 1e-3],
  hectare: ["area", 1e4],
  percent: ["percent", 1],
};

/** Intl names that mean something else far more often. */
const NOT_UNITS = ["m", "in", "a", "l", "g", "j", "an", "al", "once", "pie"];

const CURRENCIES: Readonly<Record<string, readonly string[]>> = {
  EUR: ["€", "euro", "euros"],
  USD: ["$", "us$", "dollar", "dollars", "dollari", "dolares"],
  GBP: ["£"],
  CHF: ["sfr"],
  JPY: ["¥", "yen"],
  CNY: ["yuan", "rmb"],
  INR: ["₹"],
  SEK: [],
  NOK: [],
  DKK: [],
  PLN: [],
  CZK: [],
  CAD: ["c$"],
  AUD: ["a$"],
};

/** Names that Intl does not give: inflected forms, abbreviations, binary prefixes. Folded. */
const MORE_NAMES: readonly (readonly [dimension: string, names: Readonly<Record<string, number>>])[] = [
  ["byte", { kib: 1024, mib: 2 ** 20, gib: 2 ** 30, tib: 2 ** 40, kio: 1024, mio: 2 ** 20, gio: 2 ** 30 }],
  ["byte", { tio: 2 ** 40, ko: 1e3, mo: 1e6, go: 1e9, to: 1e12, octet: 1, octets: 1, kb: 1e3, mb: 1e6 }],
  ["byte", { gb: 1e9, tb: 1e12, pb: 1e15, kbyte: 1e3, kbytes: 1e3, mbyte: 1e6, mbytes: 1e6, gbyte: 1e9 }],
  ["byte", { kibioctets: 1024, mebioctets: 2 ** 20, gibioctets: 2 ** 30, tebioctets: 2 ** 40 }],
  ["byte", { kibibytes: 1024, mebibytes: 2 ** 20, gibibytes: 2 ** 30, tebibytes: 2 ** 40, bytes: 1 }],
  ["byte", { bit: 1 / 8, bits: 1 / 8, kbit: 125, mbit: 125e3, gbit: 125e6, kilobit: 125, megabit: 125e3 }],
  ["byte", { kilobits: 125, megabits: 125e3, gigabit: 125e6, gigabits: 125e6 }],
  ["length", { metre: 1, metres: 1, kilometre: 1e3, kilometres: 1e3, millimetre: 1e-3, ft: 0.3048 }],
  ["length", { millimetres: 1e-3, centimetre: 1e-2, centimetres: 1e-2, micrometre: 1e-6, micrometres: 1e-6 }],
  ["length", { metern: 1, kilometern: 1e3, millimetern: 1e-3, zentimetern: 1e-2 }],
  ["area", { acre: 4046.856, acres: 4046.856, hektar: 1e4, hectares: 1e4, hectare: 1e4, qm: 1, sqm: 1 }],
  ["length", { nm: 1e-9, nmi: 1852, seemeile: 1852, seemeilen: 1852 }],
  ["volume", { festmeter: 1000, fm: 1000, efm: 1000, vfm: 1000, raummeter: 1000 }],
  ["volume", { litre: 1, litres: 1, litern: 1, millilitre: 1e-3, millilitres: 1e-3, millilitern: 1e-3 }],
  [
    "volume",
    { hectolitre: 100, hectolitres: 100, hektoliter: 100, hektolitern: 100, gallon: 3.785, gallons: 3.785 },
  ],
  ["mass", { tonne: 1e3, tonnes: 1e3, tonnen: 1e3, ton: 1e3, tons: 1e3, kilo: 1, kilos: 1, milligram: 1e-6 }],
  ["mass", { milligrams: 1e-6, milligramm: 1e-6, milligrammes: 1e-6, microgram: 1e-9, micrograms: 1e-9 }],
  ["mass", { mikrogramm: 1e-9, microgrammes: 1e-9, toneladas: 1e3, tonnellate: 1e3, grammes: 1e-3 }],
  ["time", { werktag: 86_400, werktage: 86_400, werktagen: 86_400, arbeitstag: 86_400, arbeitstage: 86_400 }],
  ["time", { arbeitstagen: 86_400, fortnight: 1_209_600, fortnights: 1_209_600 }],
  ["time", { tagen: 86_400, monaten: YEAR / 12, jahren: YEAR, jahres: YEAR, wochen: 604_800, std: 3600 }],
  ["time", { stunden: 3600, hour: 3600, hr: 3600, hrs: 3600, sec: 1, secs: 1, quarters: YEAR / 4 }],
  ["time", { millisecond: 1e-3, milliseconds: 1e-3, millisekunden: 1e-3, millisecondes: 1e-3, annees: YEAR }],
  ["time", { annee: YEAR, ans: YEAR, an: YEAR, decade: 10 * YEAR, decades: 10 * YEAR, quartale: YEAR / 4 }],
  ["power", { watt: 1, watts: 1, kilowatt: 1e3, kilowatts: 1e3, megawatt: 1e6, megawatts: 1e6 }],
  ["power", { gigawatt: 1e9, gigawatts: 1e9, terawatt: 1e12, terawatts: 1e12 }],
  ["percent", { prozent: 1, percent: 1, pourcent: 1, "%": 1, procent: 1, porcento: 1, pct: 1 }],
  ["points", { point: 1, points: 1, punkt: 1, punkte: 1, punkten: 1, prozentpunkt: 1, prozentpunkte: 1 }],
  ["points", { prozentpunkten: 1, pp: 1, ppt: 1 }],
  ["points", { puntos: 1, punti: 1, punten: 1, pontos: 1, procentpunten: 1 }],
  ["illuminance", { lux: 1, lx: 1 }],
  ["luminous flux", { lumen: 1, lumens: 1, lm: 1 }],
  ["basis", { bps: 1, basispunkte: 1 }],
  ["mass", { lb: 0.4536, lbs: 0.4536, oz: 0.02835, pfund: 0.5 }],
  [MINOR_CURRENCY, { cent: 0.01, cents: 0.01, ct: 0.01, centime: 0.01, centimes: 0.01, pence: 0.01 }],
  [MINOR_CURRENCY, { rappen: 0.01, centesimi: 0.01, centimos: 0.01, centimo: 0.01, centavos: 0.01 }],
];

/** Symbols whose case matters: base symbol, dimension, and the SI prefixes it is written with. */
const SYMBOLS: readonly (readonly [symbol: string, dimension: string, prefixes: string, factor?: number])[] =
  [
    ["W", "power", "mkMGT"],
    ["Wp", "power", "kMG"],
    ["Wh", "energy", "kMGT", 3600],
    ["J", "energy", "kMG"],
    ["V", "voltage", "mk"],
    ["N", "force", "kM"],
    ["Nm", "torque", "kM"],
    ["Hz", "frequency", "kMGT"],
    ["Pa", "pressure", "kMh"],
    ["bar", "pressure", "m", 1e5],
    ["m", "length", "nµμmck"],
    ["g", "mass", "nµμmk", 1e-3],
    ["t", "mass", "kM", 1e3],
    ["l", "volume", "µμmch"],
    ["L", "volume", "µμmch"],
    ["s", "time", "nµμm"],
    ["Ah", "charge", "mk"],
    ["A", "current", "µμmk"],
    ["bit", "byte", "kMGT", 1 / 8],
    ["bit/s", "rate", "kMGT"],
    // `bps` alone means basis points.
    ["kbps", "rate", "", 1e3],
    ["Mbps", "rate", "", 1e6],
    ["Gbps", "rate", "", 1e9],
    ["Tbps", "rate", "", 1e12],
    ["m/s", "speed", ""],
    ["km/h", "speed", "", 1 / 3.6],
    ["mph", "speed", "", 0.447],
    ["m²", "area", ""],
    ["km²", "area", "", 1e6],
    ["m2", "area", ""],
    ["km2", "area", "", 1e6],
    ["ha", "area", "", 1e4],
    ["m³", "volume", "", 1e3],
    ["m3", "volume", "", 1e3],
    ["ppm", "fraction", ""],
    ["ppb", "fraction", "", 1e-3],
    ["dB", "level", ""],
    ["rpm", "rotation", ""],
    ["dpi", "resolution", ""],
    ["px", "pixel", ""],
    ["°C", "celsius", ""],
    ["°F", "fahrenheit", ""],
    ["‰", "permille", ""],
  ];

const PREFIXES: Readonly<Record<string, number>> = {
  n: 1e-9,
  µ: 1e-6,
  μ: 1e-6,
  m: 1e-3,
  c: 1e-2,
  h: 1e2,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
};

/** Symbols of one letter that are too often something else: `5 m` is kept, `5 J` is not. */
const NO_SYMBOLS = ["J", "Ms", "ms²"];

/** Words for powers of ten, folded. `billion` is read as in English, `milliard` as in French and German. */
const SCALES: ReadonlyMap<string, number> = new Map([
  ...scale(1e3, "k thousand thousands tausend tsd mille millier milliers mil mila duizend"),
  ...scale(1e5, "lakh"),
  ...scale(
    1e6,
    "m mn mln mio million millions millionen millones millon milioni milione miljoen milhoes milhao",
  ),
  ...scale(1e7, "crore"),
  ...scale(1e9, "bn mrd md mld billion billions milliarde milliarden milliard milliards miliardi miliardo"),
  ...scale(1e9, "miljard bilhoes bilhao"),
  ...scale(1e12, "trillion trillions billionen"),
]);

function scale(factor: number, words: string): [string, number][] {
  return words.split(" ").map((word) => [word, factor]);
}

/** The power of ten that a folded word stands for, such as `million` or `mrd`. */
export function scaleOf(word: string): number | undefined {
  return SCALES.get(word);
}

const unitNames = once(() => {
  const names = new Map<string, Unit>();
  for (const locale of LOCALES) {
    addIntlUnits(names, locale);
    addIntlCurrencies(names, locale);
  }
  for (const name of NOT_UNITS) names.delete(name);
  for (const [dimension, more] of MORE_NAMES)
    for (const [name, factor] of Object.entries(more)) names.set(name, { dimension, factor });
  for (const [code, more] of Object.entries(CURRENCIES))
    for (const name of [fold(code), ...more]) names.set(name, { dimension: `currency:${code}`, factor: 1 });
  return names;
});

/** Locales whose abbreviations differ from the symbols above. */
const SHORT_UNITS: readonly string[] = ["en", "de", "fr"];

function addIntlUnits(names: Map<string, Unit>, locale: string): void {
  for (const [unit, [dimension, factor]] of Object.entries(INTL_UNITS))
    for (const unitDisplay of SHORT_UNITS.includes(locale)
      ? (["long", "short"] as const)
      : (["long"] as const)) {
      const format = new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay });
      for (const count of [1, 2]) {
        const name = partOf(format.formatToParts(count), "unit").replace(/\.$/, "");
        if (name.length > 1 || name === "%" || name === "h") addName(names, name, { dimension, factor });
      }
    }
}

function addIntlCurrencies(names: Map<string, Unit>, locale: string): void {
  for (const currency of Object.keys(CURRENCIES)) {
    const format = new Intl.NumberFormat(locale, { style: "currency", currency, currencyDisplay: "name" });
    for (const count of [1, 2])
      addName(names, partOf(format.formatToParts(count), "currency"), {
        dimension: `currency:${currency}`,
        factor: 1,
      });
  }
}

function partOf(parts: readonly Intl.NumberFormatPart[], type: string): string {
  return parts
    .filter((part) => part.type === type)
    .map((part) => part.value)
    .join("")
    .trim();
}

function addName(names: Map<string, Unit>, name: string, unit: Unit): void {
  const folded = fold(name).trim();
  if (folded !== "" && !names.has(folded)) names.set(folded, unit);
}

const unitSymbols = once(() => {
  const symbols = new Map<string, Unit>();
  for (const [symbol, dimension, prefixes, factor = 1] of SYMBOLS) {
    symbols.set(symbol, { dimension, factor });
    for (const prefix of prefixes)
      symbols.set(prefix + symbol, { dimension, factor: factor * (PREFIXES[prefix] ?? 1) });
  }
  for (const symbol of NO_SYMBOLS) symbols.delete(symbol);
  for (const name of ["°C", "Grad"]) symbols.set(name, { dimension: "temperature", factor: 1 });
  symbols.set("°F", { dimension: "temperature", factor: 5 / 9, offset: -32 });
  return symbols;
});

/** Symbols in small letters, as columns are named: `electricity_kwh`. `mwh` is a million, not a thousandth. */
const smallSymbols = once(() => {
  const small = new Map<string, Unit>();
  for (const [symbol, unit] of unitSymbols()) {
    const key = symbol.toLowerCase();
    const other = small.get(key);
    if (key.length > 1 && (other === undefined || other.factor < unit.factor)) small.set(key, unit);
  }
  return small;
});

/** The unit that a word names, in any of the known locales, or by its symbol, whose case counts. */
export function unitOf(word: string): Unit | undefined {
  return unitSymbols().get(word) ?? unitNames().get(fold(word)) ?? wattHours(word);
}

/** The unit of a symbol such as `kWh`, `%` or `£`, which is no word. */
export function unitOfSymbol(symbol: string): Unit | undefined {
  if (/^[%$€£¥₹]$/.test(symbol)) return unitOf(symbol);
  return symbol.length > 1 ? unitSymbols().get(symbol) : undefined;
}

/** `square feet`, `cubic metres`, `mètres carrés`, `Quadratmeter`. */
export function unitOfPower(first: string, second: string): Unit | undefined {
  const joined = /^(quadrat|kubik)(\p{L}{4,15})$/u.exec(fold(first));
  const [name, exponent] =
    joined === null
      ? (powerOf(first, second) ?? powerOf(second, first) ?? [])
      : [joined[2], joined[1] === "quadrat" ? 2 : 3];
  const unit = name === undefined ? undefined : unitOf(name);
  if (unit?.dimension !== "length" || exponent === undefined) return undefined;
  return exponent === 2
    ? { dimension: "area", factor: unit.factor ** 2 }
    : { dimension: "volume", factor: unit.factor ** 3 * 1000 };
}

/** The unit and the exponent of `square` and `feet`. */
function powerOf(power: string, unit: string): readonly [string, number] | undefined {
  const word = fold(power);
  if (/^(?:square|sq|carre|carres|cuadrados?|quadrati?)$/.test(word)) return [unit, 2];
  return /^(?:cubic|cubes?|cubicos?|cubi)$/.test(word) ? [unit, 3] : undefined;
}

function wattHours(word: string): Unit | undefined {
  return /^[kmgt]wh?$/i.test(word) ? smallSymbols().get(word.toLowerCase()) : undefined;
}

/** The unit in a name such as `water_m3` or `cost (EUR)`. */
export function unitInName(name: string): Unit | undefined {
  for (const word of name.split(/[^\p{L}\p{N}%$€£°²³]+/u)) {
    const unit =
      word.length > 1 || /[%$€£]/.test(word)
        ? (unitOf(word) ?? smallSymbols().get(word.toLowerCase()))
        : undefined;
    if (unit !== undefined) return unit;
  }
  return undefined;
}

/** As `unitOf`, for running text, where a word of one letter is no unit. */
export function unitInText(word: string): Unit | undefined {
  return word.length > 1 || /[$€£%¥₹]/.test(word) ? unitOf(word) : undefined;
}
