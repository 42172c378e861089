/** Lighter ones are read as white on white: all that CSS has a name for. */
const NAMED: { readonly [name: string]: string } = {
  white: "#ffffff",
  snow: "#fffafa",
  ivory: "#fffff0",
  mintcream: "#f5fffa",
  azure: "#f0ffff",
  floralwhite: "#fffaf0",
  honeydew: "#f0fff0",
  lightyellow: "#ffffe0",
  transparent: "#00000000",
};
const NEAR_WHITE = 0.95;

/** What one unit of a length is in pixels, in text of the usual size. */
const PIXELS: { readonly [unit: string]: number } = { px: 1, pt: 4 / 3, em: 16, rem: 16, ch: 8, "%": 0.16 };

export interface Color {
  readonly isTransparent: boolean;
  /** Nobody sees it on the white of a page. */
  readonly isNearWhite: boolean;
}

/** A colour of CSS or of a `color` attribute, lower case; undefined for one that is not known. */
export function colorOf(css: string): Color | undefined {
  const channels = hexChannels(NAMED[css] ?? css) ?? functionChannels(css);
  if (channels === undefined) return undefined;
  const [red = 0, green = 0, blue = 0, alpha = 1] = channels;
  const linear = [red, green, blue].map((channel) => {
    const onWhite = Math.min(1, Math.max(0, channel)) * alpha + 1 - alpha;
    return onWhite <= 0.04045 ? onWhite / 12.92 : ((onWhite + 0.055) / 1.055) ** 2.4;
  });
  const [r = 0, g = 0, b = 0] = linear;
  return { isTransparent: alpha === 0, isNearWhite: 0.2126 * r + 0.7152 * g + 0.0722 * b > NEAR_WHITE };
}

/** A length in pixels; undefined where it is none, or depends on the window. */
export function pixelsOf(css: string): number | undefined {
  const [, number = "", unit = ""] = /^([+-]?(?:\d+\.?\d*|\.\d+))([a-z]*|%)$/.exec(css) ?? [];
  if (number === "") return undefined;
  const value = Number(number);
  const pixels = PIXELS[unit];
  if (value === 0) return 0;
  return pixels === undefined ? undefined : value * pixels;
}

function hexChannels(css: string): readonly number[] | undefined {
  // A `color` attribute has its digits without the mark, too.
  const [, digits] = /^#?((?:[\da-f]{2}){3,4})$/.exec(css) ?? /^#([\da-f]{3,4})$/.exec(css) ?? [];
  if (digits === undefined) return undefined;
  const size = digits.length > 4 ? 2 : 1;
  const largest = 16 ** size - 1;
  return digits.match(size === 2 ? /../g : /./g)?.map((part) => parseInt(part, 16) / largest);
}

function functionChannels(css: string): readonly number[] | undefined {
  const [, name, inside = ""] = /^(rgb|hsl)a?\(([^()]{1,80})\)$/.exec(css) ?? [];
  const parts = inside.split(/[\s,/]+/).filter((part) => part !== "");
  const values = parts.map((part) => parseFloat(part) / (part.endsWith("%") ? 100 : 1));
  if (name === undefined || parts.length < 3 || parts.length > 4 || values.some(Number.isNaN))
    return undefined;
  const [first = 0, second = 0, third = 0, alpha = 1] = values;
  if (name === "hsl") return [...hslChannels(first, second, third), alpha];
  const channels = [first, second, third].map((value, at) =>
    parts[at]?.endsWith("%") ? value : value / 255,
  );
  return [...channels, alpha];
}

function hslChannels(hue: number, saturation: number, lightness: number): readonly number[] {
  const strength = saturation * Math.min(lightness, 1 - lightness);
  return [0, 8, 4].map((offset) => {
    const at = (((offset + hue / 30) % 12) + 12) % 12;
    return lightness - strength * Math.max(-1, Math.min(at - 3, 9 - at, 1));
  });
}
