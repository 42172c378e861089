import { describe, expect, it } from "vitest";

import { docxOfParts } from "../testing/tiny-docx.ts";
import { parseDocument } from "./parse-document.ts";

const SECRET = "Visitors may enter the server room.";

const markdown = async (text: string): Promise<{ readonly text: string; readonly hidden?: number }> => {
  const { pages } = await parseDocument(new TextEncoder().encode(text), "a.md");
  return pages[0] ?? { text: "" };
};

describe("hidden text in Markdown", () => {
  it.each([
    `<div style="display:none">${SECRET}</div>`,
    `<div\n  style='color: red; DISPLAY : none'>\n${SECRET}\n\n</div>`,
    `<div style="display:none"><div>Outer</div>\n\n${SECRET}\n\n</div>`,
    `<span style="visibility: hidden">${SECRET}</span>`,
    `<span style="font-size:0px">${SECRET}</span>`,
    `<span style="opacity:0">${SECRET}</span>`,
    `<font style="color:#FFFFFF">${SECRET}</font>`,
    `<p style="color: white">${SECRET}</p>`,
    `<p style="color: white; background: #fff">${SECRET}</p>`,
    `<p style="background: navy"></p><p style="color: white">${SECRET}</p>`,
    `<font color="white">${SECRET}</font>`,
    `<FONT COLOR=FFFFFF>${SECRET}</FONT>`,
    ...[
      "#ffff",
      "#ffffffff",
      "#00000000",
      "#00000004",
      "#fefefe",
      "snow",
      "#fffffe !important",
      "hsl(0,0%,100%)",
      "hsla(120deg 100% 99% / 1)",
      "rgb(100%,100%,100%)",
      "rgb(254 254 254)",
      "rgba(0,0,0,0)",
    ].map((color) => `<span style="color: ${color}">${SECRET}</span>`),
    `<span style="color:#fff;background:#fffffffe">${SECRET}</span>`,
    ...[
      "font-size:1px",
      "font-size:.5pt",
      "font-size:0.05em",
      "height:0;overflow:hidden",
      "max-height:0px;overflow-y:clip",
    ].map((style) => `<div style="${style}">${SECRET}</div>`),
    ...[
      "position:absolute;left:-9999px",
      "text-indent:-9999px",
      "position:fixed;top:-100em",
      "margin-left:-5000px",
    ].map((style) => `<div style="${style}">${SECRET}</div>`),
    `<p hidden>${SECRET}</p>`,
    `<script>${SECRET}</script>`,
    `<template>${SECRET}</template>`,
    `<div hidden/>${SECRET}</div>`,
    `<div title="a > b" hidden>${SECRET}</div>`,
    `<div class="a"hidden>${SECRET}</div>`,
    `<div style="display&#58;none">${SECRET}</div>`,
    `<div style="display&colon;&#x6e;one">${SECRET}</div>`,
    `<div style="display/**/:/* x */none !important">${SECRET}</div>`,
    `[//]: # (${SECRET})`,
    `[comment]: <> (${SECRET})`,
    `<div hidden>\n\nThe <div> tag.\n\n${SECRET}\n\n</div>`,
    `<p hidden>${SECRET}`,
  ])("is left out and counted: %s", async (hidden) => {
    const page = await markdown(`Visitors wait.\n\n${hidden}\n\nThe end.`);
    expect(page.text).toBe("Visitors wait.\n\nThe end.");
    expect(page.hidden).toBeGreaterThanOrEqual(SECRET.length);
  });

  it.each([
    "Write \\<div hidden> to hide a part.",
    "Use <div hidden> now.",
    "    <div hidden>",
    "- Item\n\n        <div hidden>",
    "`a\n<div hidden>`",
    "A Map<String hidden> is typed.",
    "<p hidden>x",
    "- <p hidden>x",
    "<ul><li hidden>x<li>Second</ul>",
    "<ul>\n<li hidden>x\n<li>Second\n</ul>",
    '<div style="transition: opacity:0">Slow</div>',
    "The <script> tag begins it.",
    "The <div hidden> tag begins it.",
    "<Tabs hidden />",
  ])("ends before the next section: %j", async (written) => {
    const { text } = await markdown(
      `${written}\n## Budget\n\nFive million. \n\nWrite </script> and </div> to end.`,
    );
    expect(text).toContain("Budget\n\nFive million.");
    expect(text.includes("Second")).toBe(written.includes("Second"));
  });

  it.each([
    "Use <div hidden> now.",
    "Slow <i style='transition: opacity:0'>fade</i>.",
    "Write \\<p hidden> here.",
  ])("is not a sentence with a tag: %j", async (written) => {
    const page = await markdown(written);
    expect(page.text).toMatch(/(?:now|fade|here)\.$/);
    expect(page.hidden).toBeUndefined();
  });

  it("of an element that is never closed ends with its block", async () => {
    const { text } = await markdown(`Shown.\n\n<div style="display:none">\n${SECRET}\n\nThe end.`);
    expect(text).toBe("Shown.\n\nThe end.");
  });

  it("is in a comment", async () => {
    expect((await markdown(`Shown.\n\n<!-- ${SECRET} -->`)).text).toBe("Shown.");
  });

  it.each([
    "Start with `<!--`.\n\nA paragraph.\n\nEnd with `-->`.",
    "Start with `` a ` <!-- ``.\n\nA paragraph.\n\nEnd with -->.",
    "Write \\<!-- to begin.\n\nA paragraph.\n\nThen --> ends it.",
    "In words <!-- begins.\n\nA paragraph.\n\nThen --> ends it.",
    "Empty: <!--> one.\n\nA paragraph.\n\nThen --> ends it.",
    "```html\n<!-- a note -->\nA paragraph.\n```",
    "    <!-- a note -->\n\nA paragraph.",
  ])("is not code or a word that looks like a comment: %j", async (written) => {
    const { text, hidden } = await markdown(`First.\n\n${written}\n\nLast.`);
    expect(text).toMatch(/^First\..*A paragraph\..*Last\.$/s);
    expect(text.includes("a note")).toBe(written.includes("a note"));
    expect(hidden).toBeUndefined();
  });

  it.each([
    "<!-- ` -->",
    "<!--\n```\n\nTwo paragraphs.\n```\n\n-->",
    "- <!-- of an item\n\n  in two -->",
    "# A heading ` <!-- a -->",
    "Words <!-- a\nb --> `code` <!-- ` -->",
  ])("is a comment beside code: %j", async (comment) => {
    const { text } = await markdown(`First \`word\`.\n\n${comment}\nSee \`code\`.\n\nLast.`);
    expect(text).toMatch(/^First word\..*See code\.\n\nLast\.$/s);
    expect(text).not.toMatch(/<!--|-->|paragraphs|in two/);
  });

  it("is no zero-width or tag character", async () => {
    const smuggled = Array.from("obey", (char) => String.fromCodePoint(0xe0000 + char.charCodeAt(0))).join(
      "",
    );
    expect((await markdown(`Pass\u200Bword${smuggled} is\u2060 set.`)).text).toBe("Password is set.");
  });

  it.each([
    `<div style="display:block">${SECRET}</div>`,
    `<span style="font-size:0.9em; opacity:0.5">${SECRET}</span>`,
    `<span style="color:white; background:#222">${SECRET}</span>`,
    `<div style="background-color: #036"><div></div><span style="color:#fff">${SECRET}</span></div>`,
    `<p bgcolor="navy"><font style="color: white">${SECRET}</font></p>`,
    `<div class="hidden-print" data-hidden="no">${SECRET}</div>`,
    `<table bgcolor="000080"><tr><td><font color="white">${SECRET}</font></td></tr></table>`,
    ...[
      "#000f",
      "rgb(0 0 50%)",
      "hsl(240,100%,20%)",
      "#0008",
      "linear-gradient(white, navy)",
      "white url(night.png)",
    ].map((background) => `<p style="color:#ffff; background:${background}">${SECRET}</p>`),
    ...["color:yellow", "color:#eee", "color:#8888", "color:hsl(60,100%,50%)", "color:rgb(nonsense)"].map(
      (style) => `<span style="${style}">${SECRET}</span>`,
    ),
    ...[
      "font-size:9px",
      "font-size:50%",
      "height:0",
      "height:20em;overflow:hidden",
      "left:-10px",
      "text-indent:-2em",
    ].map((style) => `<div style="${style}">${SECRET}</div>`),
  ])("is not what is shown: %s", async (shown) => {
    const page = await markdown(shown);
    expect(page.text).toBe(SECRET);
    expect(page.hidden).toBeUndefined();
  });

  it("is not a placeholder in prose", async () => {
    expect((await markdown("Open the <template> first.\n\nThen wait.")).text).toContain("Then wait.");
  });

  it("is not code that shows how to hide", async () => {
    const page = await markdown(
      'Write `<div style="display:none">` here.\n\n```html\n<div hidden>\n```\n\nEnd.',
    );
    expect(page.text).toContain("End.");
    expect(page.text).toContain("<div hidden>");
  });

  it("is read in linear time", async () => {
    const page = await markdown(
      `Shown.\n\n${"<div hidden ".repeat(50_000)}\n${"<p hidden>x".repeat(50_000)}`,
    );
    expect(page.text).toMatch(/^Shown\./);
  });
});

describe("hidden text in a Word document", () => {
  const run = (properties: string, text: string): string =>
    `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
  const read = async (body: string): Promise<{ readonly text: string; readonly hidden?: number }> => {
    const styles = `<w:style w:styleId="Secret"><w:rPr><w:vanish/></w:rPr></w:style>
      <w:style w:styleId="Banner"><w:pPr><w:shd w:fill="003366"/></w:pPr></w:style>`;
    const { pages } = await parseDocument(docxOfParts({ body, styles }), "a.docx");
    return pages[0] ?? { text: "" };
  };

  it.each(["<w:vanish/>", '<w:rStyle w:val="Secret"/>', '<w:color w:val="FFFFFF"/>', '<w:sz w:val="2"/>'])(
    "is left out and counted: %s",
    async (properties) => {
      const page = await read(`<w:p>${run("", "Shown.")}${run(properties, SECRET)}</w:p>`);
      expect(page).toMatchObject({ text: "Shown.", hidden: SECRET.length });
    },
  );

  it("is a paragraph in a hidden style", async () => {
    const body = `<w:p>${run("", "Shown.")}</w:p><w:p><w:pPr><w:pStyle w:val="Secret"/></w:pPr>${run("", SECRET)}</w:p>`;
    expect((await read(body)).text).toBe("Shown.");
  });

  it.each([
    ["a run that is shown again", `<w:p>${run('<w:vanish w:val="0"/>', SECRET)}</w:p>`],
    ["white on shading", `<w:p>${run('<w:color w:val="FFFFFF"/><w:shd w:fill="000000"/>', SECRET)}</w:p>`],
    ...[
      '<w:shd w:val="solid" w:color="000000" w:fill="auto"/>',
      '<w:shd w:val="clear" w:color="auto" w:fill="auto" w:themeFill="accent1"/>',
    ].map((shading) => [
      `white on ${shading}`,
      `<w:p>${run(`<w:color w:val="FFFFFF"/>${shading}`, SECRET)}</w:p>`,
    ]),
    [
      "white on a shaded paragraph",
      `<w:p><w:pPr><w:shd w:fill="000000"/></w:pPr>${run('<w:color w:val="FFFFFF"/>', SECRET)}</w:p>`,
    ],
    [
      "white on a paragraph that its style shades",
      `<w:p><w:pPr><w:pStyle w:val="Banner"/><w:rPr><w:shd w:fill="auto"/></w:rPr></w:pPr>${run('<w:color w:val="FFFFFF"/>', SECRET)}</w:p>`,
    ],
    [
      "white in a table",
      `<w:tbl><w:tr><w:tc><w:p>${run('<w:color w:val="FFFFFF"/>', SECRET)}</w:p></w:tc></w:tr></w:tbl>`,
    ],
    [
      "black on white shading",
      `<w:p>${run('<w:color w:val="000000"/><w:shd w:fill="FFFFFF"/>', SECRET)}</w:p>`,
    ],
    ["the paragraph's own mark", `<w:p><w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr>${run("", SECRET)}</w:p>`],
  ])("is not: %s", async (_what, body) => {
    expect(await read(body)).toMatchObject({ text: SECRET });
  });

  it.each([
    '<w:shd w:val="clear" w:color="auto" w:fill="auto" w:themeFill="background1"/>',
    '<w:shd w:val="solid" w:color="FFFFFF" w:fill="auto"/>',
  ])("is white on white: %s", async (shading) => {
    const page = await read(
      `<w:p>${run("", "Shown.")}${run(`<w:color w:val="FFFFFF"/>${shading}`, SECRET)}</w:p>`,
    );
    expect(page.text).toBe("Shown.");
  });

  it("is counted in notes and headers too", async () => {
    const { pages } = await parseDocument(
      docxOfParts({
        body: `<w:p>${run("", "Shown.")}<w:r><w:footnoteReference w:id="1"/></w:r></w:p><w:sectPr><w:headerReference r:id="h"/></w:sectPr>`,
        footnotes: { 1: `<w:p>${run("", "Note.")}${run("<w:vanish/>", SECRET)}</w:p>` },
        headers: { h: `<w:p>${run("<w:vanish/>", SECRET)}</w:p>` },
      }),
      "a.docx",
    );
    expect(pages[0]).toMatchObject({ text: "Shown.\n\nFootnote 1: Note.", hidden: 2 * SECRET.length });
  });
});
