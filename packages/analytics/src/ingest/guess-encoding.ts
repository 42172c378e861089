import { isUtf8 } from "node:buffer";
import { createReadStream } from "node:fs";

const LINE_FEED = 0x0a;
const SAMPLE_BYTES = 64 * 1024;
/** Part of the words with letters beyond ASCII that has to look wrong before another encoding is tried. */
const MIN_WRONG = 0.2;
/** Part of the lines that may be valid UTF-8 by chance. */
const MAX_UTF8 = 0.1;

/** What may be wrong with text that is read as windows-1252: a word of it, as it looks there and in the guess. */
export interface EncodingGuess {
  /** A label of the Encoding Standard; `windows-1252` where nothing fits better. */
  readonly encoding: string;
  readonly example: string;
}

/** Words as windows-1252 shows text in other encodings. */
const WRONG_WORDS: readonly RegExp[] = [
  // Not assigned: MacRoman, Shift-JIS, KOI8-R.
  /[\u0080-\u009f]/u,
  // Words without a letter of ASCII, but for those of `ÄÖÜ` and `éé`: Cyrillic, Greek, Chinese, Korean.
  /^(?![äöüßéèåæøÄÖÜÉÈÅÆØ]+$)[^\p{ASCII}]{3,}$/u,
  // `Pawe³`, `s¹d`, `¿ó³w`, `£ódź`; not `m³`.
  /\p{L}{2}[³¹¿¾¼½¯¥¦£¢¤¬¸]|[³¹¿¾¼¯¥£¢¤¬][\p{L}]{2}/u,
  // `MŸller`, `JosŽ`: MacRoman.
  /\p{L}[ŸŠŽ]\p{Ll}|\p{Ll}[ŸŠŽŒÈÉÊËÌÍÎÏÑÒÓÔÕÙÚÛ]/u,
  // `mìsto`, `dùm`, `Plzeò`, `Øíèany`: Czech.
  /[ìòù]\p{Ll}|[aeiouy]ò|[øØ].*[íèìùýšž]|[èíìùýšž].*ø/u,
  // `Ayþe`, `Ýstanbul`: Turkish.
  /[a-zçöü]þ|^Ý[a-z]|[ðý].*[üç]|[üç].*[ðý]/u,
];

interface Candidate {
  readonly encoding: string;
  /** A word in it; words of one script, so that a small letter is not followed by a capital. */
  readonly word: RegExp;
}

const CENTRAL_EUROPEAN =
  "a-zA-ZáäčćďđéęëěíîľĺłńňóôöőřŕśšťúůüűýžźżąăâşţßÁÄČĆĎĐÉĘËĚÍÎĽĹŁŃŇÓÔÖŐŘŔŚŠŤÚŮÜŰÝŽŹŻĄĂÂŞŢ";
const WESTERN = "a-zA-ZàáâãäåæçèéêëìíîïñòóôõöøùúûüßœÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜŒ";
const EAST_ASIAN = "a-zA-Z\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー々・（）「」、。－";
/** A capital, if any, comes first. */
const CASED = "(?=\\p{Lu}?\\p{Ll}*$|\\p{Lu}+$)";

/** In the order in which they are preferred where they fit alike. */
const CANDIDATES: readonly Candidate[] = [
  { encoding: "windows-1251", word: new RegExp(`^${CASED}\\p{Script=Cyrillic}+$`, "u") },
  { encoding: "koi8-r", word: new RegExp(`^${CASED}\\p{Script=Cyrillic}+$`, "u") },
  { encoding: "windows-1253", word: new RegExp(`^${CASED}\\p{Script=Greek}+$`, "u") },
  { encoding: "windows-1254", word: new RegExp(`^${CASED}[a-zA-ZçğıöşüâîûÇĞİÖŞÜ]+$`, "u") },
  { encoding: "windows-1250", word: new RegExp(`^${CASED}[${CENTRAL_EUROPEAN}]+$`, "u") },
  { encoding: "macintosh", word: new RegExp(`^${CASED}[${WESTERN}]+$`, "u") },
  { encoding: "euc-kr", word: /^[\p{Script=Hangul}a-zA-Z]+$/u },
  { encoding: "shift_jis", word: new RegExp(`^[${EAST_ASIAN}]+$`, "u") },
  { encoding: "gb18030", word: new RegExp(`^[${EAST_ASIAN}]+$`, "u") },
];
/** Part of the words that has to fit. */
const MIN_FIT = 0.75;

/**
 * Another encoding than windows-1252 for a file that is not UTF-8, from its lines that are not; undefined where
 * windows-1252 looks right, or where lines of UTF-8 are mixed in.
 */
export async function guessEncoding(path: string): Promise<EncodingGuess | undefined> {
  const sample = await sampleNotUtf8(path);
  if (sample === undefined) return undefined;
  const western = wordsIn(sample, "windows-1252");
  const wrong = western.filter((word) => WRONG_WORDS.some((pattern) => pattern.test(word)));
  const [example = ""] = wrong;
  if (wrong.length === 0 || wrong.length < western.length * MIN_WRONG) return undefined;
  const [best] = CANDIDATES.map(({ encoding, word }) => {
    const words = wordsIn(sample, encoding);
    const fitting = words.filter((one) => word.test(one));
    const isLikely = words.length > 0 && hasUsualLetters(encoding, sample);
    return { encoding, example: fitting[0] ?? "", fit: isLikely ? fitting.length / words.length : 0 };
  }).toSorted((a, b) => b.fit - a.fit);
  return best === undefined || best.fit < MIN_FIT ? { encoding: "windows-1252", example } : best;
}

/** What tells encodings apart that allow the same bytes. */
function hasUsualLetters(encoding: string, sample: Uint8Array): boolean {
  const high = sample.filter((byte) => byte >= 0x80);
  const low = high.filter((byte) => byte < 0xa0).length / high.length;
  // MacRoman has `ä`, `ö`, `ü` and `é` where the Central European code page has but `š`, `ž` and `ź`.
  if (encoding === "windows-1250") return low < 0.7;
  if (encoding === "macintosh") return low >= 0.5;
  // Characters of everyday Chinese begin above those of Japanese.
  if (encoding === "gb18030") return low < 0.1;
  return true;
}

/** Words with characters beyond ASCII, without the punctuation around them; none where the bytes are not that encoding. */
function wordsIn(sample: Uint8Array, encoding: string): readonly string[] {
  let text: string;
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(sample);
  } catch {
    return [];
  }
  return text
    .split(/[\0-@[-`{-\x7f]+/)
    .map((word) => word.replaceAll(/^[\p{P}\p{Zs}]+|[\p{P}\p{Zs}]+$/gu, ""))
    .filter((word) => /[^\p{ASCII}]/u.test(word) && /[\p{L}\u0080-\u009f]/u.test(word));
}

/** The first lines that are not UTF-8; undefined where some of the other lines are, beyond ASCII. */
async function sampleNotUtf8(path: string): Promise<Uint8Array | undefined> {
  const lines: Uint8Array[] = [];
  let bytes = 0;
  let valid = 0;
  let rest: Uint8Array = new Uint8Array(0);
  const look = (line: Uint8Array): void => {
    if (line.every((byte) => byte < 0x80)) return;
    if (isUtf8(line)) {
      valid++;
      return;
    }
    lines.push(line, Uint8Array.of(LINE_FEED));
    bytes += line.length;
  };
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    const all = Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = all.indexOf(LINE_FEED); end !== -1; end = all.indexOf(LINE_FEED, start)) {
      look(all.subarray(start, end));
      start = end + 1;
    }
    rest = all.subarray(start);
    if (bytes > SAMPLE_BYTES) break;
  }
  if (bytes <= SAMPLE_BYTES) look(rest);
  return valid > (valid + lines.length / 2) * MAX_UTF8 ? undefined : Buffer.concat(lines);
}
