import { escapeXml } from "../text/xml.ts";
import { axisTitle, line, noLine, txPr, type ChartInk } from "./parts.ts";

export const X_AXIS_ID = 111_111_111;
export const Y_AXIS_ID = 222_222_222;

export interface CategoryAxis {
  readonly ink: ChartInk;
  readonly title: string;
  /** A horizontal bar chart has its categories down the left, the first on top. */
  readonly vertical: boolean;
  readonly rotate: 0 | -45 | "auto";
  readonly every: number;
}

export function categoryAxis(axis: CategoryAxis): string {
  const skip =
    axis.every > 1 ? `<c:tickLblSkip val="${axis.every}"/><c:tickMarkSkip val="${axis.every}"/>` : "";
  return (
    `<c:catAx><c:axId val="${X_AXIS_ID}"/><c:scaling><c:orientation val="${axis.vertical ? "maxMin" : "minMax"}"/></c:scaling><c:delete val="0"/>` +
    `<c:axPos val="${axis.vertical ? "l" : "b"}"/>${axisTitle(axis.title, axis.ink, axis.vertical ? -90 : undefined)}` +
    `<c:numFmt formatCode="General" sourceLinked="0"/><c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos val="low"/>` +
    `<c:spPr>${line(axis.ink.rule, 1)}</c:spPr>${txPr(axis.ink, axis.ink.ink, undefined, axis.rotate)}` +
    `<c:crossAx val="${Y_AXIS_ID}"/><c:crosses val="autoZero"/><c:auto val="0"/><c:lblAlgn val="ctr"/><c:lblOffset val="100"/>${skip}<c:noMultiLvlLbl val="1"/></c:catAx>`
  );
}

export interface ValueAxis {
  readonly ink: ChartInk;
  readonly id: number;
  readonly crossId: number;
  readonly title: string;
  readonly code: string;
  readonly position: "l" | "b";
  readonly hidden: boolean;
  readonly fromZero: boolean;
  /** Where this axis meets the other: at its end when that one runs downwards. */
  readonly crosses: "autoZero" | "max" | "min";
  readonly between: "between" | "midCat";
  readonly gridlines: boolean;
}

export function valueAxis(axis: ValueAxis): string {
  return (
    `<c:valAx><c:axId val="${axis.id}"/><c:scaling><c:orientation val="minMax"/>${axis.fromZero ? '<c:min val="0"/>' : ""}</c:scaling>` +
    `<c:delete val="${axis.hidden ? 1 : 0}"/><c:axPos val="${axis.position}"/>` +
    (axis.gridlines && !axis.hidden
      ? `<c:majorGridlines><c:spPr>${line(axis.ink.rule, 0.75)}</c:spPr></c:majorGridlines>`
      : "") +
    (axis.hidden ? "" : axisTitle(axis.title, axis.ink, axis.position === "l" ? -90 : undefined)) +
    `<c:numFmt formatCode="${escapeXml(axis.code)}" sourceLinked="0"/><c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos val="${axis.crosses === "max" ? "nextTo" : "low"}"/>` +
    `<c:spPr>${noLine}</c:spPr>${txPr(axis.ink)}<c:crossAx val="${axis.crossId}"/><c:crosses val="${axis.crosses}"/><c:crossBetween val="${axis.between}"/></c:valAx>`
  );
}
