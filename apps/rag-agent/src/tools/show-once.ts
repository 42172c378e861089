import type { Tool, ToolSource } from "@troupe/core";

const SEARCH = "rag_search";
/** First line of a passage: its id in square brackets. */
const PASSAGE = /^\[[\w-]{1,64}\] /;
/** A passage no longer than this costs less than the note in its place. */
const MIN_QUOTE = 80;

/** The same source, where a search does not quote passages again that the model still sees. */
export function showOnce(source: ToolSource): ToolSource {
  return {
    name: source.name,
    overview: async (request, options) => source.overview?.(request, options),
    list: async (options) => (await source.list(options)).map(searchingOnce),
    close: () => source.close(),
  };
}

function searchingOnce(tool: Tool): Tool {
  if (tool.definition.name !== SEARCH) return tool;
  return {
    ...tool,
    async execute(args, context) {
      const output = await tool.execute(args, context);
      const { wasShown } = context;
      if (wasShown === undefined || output.isError === true) return output;
      return {
        ...output,
        text: output.text
          .split("\n\n")
          .map((block) => shortened(block, wasShown))
          .join("\n\n"),
      };
    },
  };
}

/** Warnings about a passage stay beside its first line; only the quote is left out. */
function shortened(block: string, wasShown: (text: string) => boolean): string {
  if (!PASSAGE.test(block)) return block;
  const lines = block.split("\n");
  const isQuote = (line: string): boolean => line.startsWith(">");
  const quote = lines.filter(isQuote).join("\n");
  if (quote.length < MIN_QUOTE || !wasShown(quote)) return block;
  return [...lines.filter((line) => !isQuote(line)), "Shown above under this number."].join("\n");
}
