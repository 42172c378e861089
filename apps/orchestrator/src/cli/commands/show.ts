import type { CliContext } from "../context.ts";
import { renderAnswer } from "../deliver.ts";
import { EXIT } from "../exit-codes.ts";
import { pricesIn } from "../prices.ts";
import { colors } from "../render/color.ts";
import { runDetailText } from "../render/run-detail-text.ts";
import { withRuns } from "../runs.ts";
import { typed } from "../typed.ts";
import { answerCommands } from "../waiting.ts";

export interface ShowOptions {
  readonly run: string;
  readonly json: boolean;
}

/** Everything that is known of one run. Works with and without running servers. */
export async function show(context: CliContext, options: ShowOptions): Promise<number> {
  const detail = await withRuns(context, (known) => known.show(options.run));
  if (options.json) context.out(`${JSON.stringify(detail)}\n`);
  else {
    const answered = (asked: Parameters<typeof answerCommands>[2]): readonly string[] =>
      detail.run.importedAt === undefined ? answerCommands(context, detail.run.runId, asked) : [];
    const rendered = await renderAnswer(context, { ...detail, content: detail.answer }, 2);
    const open = typed(context, `open ${detail.run.runId} FILE`);
    const { dim } = colors(context.screen?.().color ?? false);
    const checks = detail.checks === undefined ? dim("not checked") : rendered.checks;
    context.out(runDetailText(detail, { ...rendered, checks, prices: pricesIn(context), answered, open }));
  }
  return EXIT.completed;
}
