import type { ChartSpec } from "@troupe/stream";

import { svgSpec } from "./svg-spec.ts";

declare module "vega" {
  /** Missing in the types of vega, which re-exports it from vega-scenegraph. */
  export const textMetrics: { canvas(use: boolean): void };
}

/** IANA media type of `renderChartSvg`. */
export const SVG_MEDIA_TYPE = "image/svg+xml";

/**
 * A picture of the chart. Same chart, same bytes. It reads no file and no address: the specification is ours alone,
 * and has its rows in it. The libraries that draw are loaded with the first picture.
 */
export async function renderChartSvg(chart: ChartSpec): Promise<string> {
  const [vega, { compile }] = await Promise.all([import("vega"), import("vega-lite")]);
  // Its warnings are about choices that are meant, and would go to the console.
  const { spec } = compile(svgSpec(chart), { logger: vega.logger(vega.Error) });
  // Widths are estimated, the same on every machine, also where a canvas is installed.
  vega.textMetrics.canvas(false);
  vega.resetSVGDefIds();
  const view = new vega.View(vega.parse(spec), {
    renderer: "none",
    loader: { ...vega.loader(), load: refuse, sanitize: refuse, http: refuse, file: refuse },
    logLevel: vega.Error,
  });
  try {
    const svg = await view.toSVG();
    return `<?xml version="1.0" encoding="UTF-8"?>\n${svg}\n`;
  } finally {
    view.finalize();
  }
}

function refuse(address: string): Promise<never> {
  return Promise.reject(new Error(`a chart loads nothing, and was asked for "${address}"`));
}
