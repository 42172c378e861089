/** Names a spec may ask for. */
export const THEME_NAMES = ["clear"] as const;
export type ThemeName = (typeof THEME_NAMES)[number];

/** Colours are six hex digits without `#`; sizes are points. */
export interface Theme {
  readonly name: ThemeName;
  readonly font: string;
  readonly colors: {
    readonly background: string;
    readonly ink: string;
    readonly muted: string;
    readonly accent: string;
    /** Large quiet areas. */
    readonly panel: string;
    readonly rule: string;
    /** Series in order; the first is the accent. */
    readonly chart: readonly [string, ...string[]];
  };
  readonly sizes: {
    readonly cover: number;
    readonly section: number;
    readonly title: number;
    readonly lead: number;
    readonly body: number;
    readonly small: number;
    readonly figure: number;
  };
}

/** Restrained and light: ink on white, one accent, a strong scale. */
const clear: Theme = {
  name: "clear",
  font: "Calibri",
  colors: {
    background: "FFFFFF",
    ink: "16212E",
    muted: "556270",
    accent: "0B5C8A",
    panel: "F1F5F8",
    rule: "D3DCE4",
    chart: ["0B5C8A", "E08A2C", "3C9D8F", "8A5A9E", "B8433F", "7A8793"],
  },
  sizes: { cover: 46, section: 40, title: 30, lead: 26, body: 20, small: 12, figure: 54 },
};

const themes: { readonly [N in ThemeName]: Theme } = { clear };

export const themeNamed = (name: ThemeName): Theme => themes[name];
