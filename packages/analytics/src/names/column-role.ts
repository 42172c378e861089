import type { Cell, ColumnRole } from "../types/result.ts";

const NUMBER_TYPE = /^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL.*|BIGNUM)$/;
const WHOLE_TYPE = /^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|DECIMAL\(\d+,0\))$/;
const DATE_TYPE = /^(DATE|TIMESTAMP.*)$/;
/** Text that orders in time as it stands: 2024-03, 2024-03-31, 2024-Q1, 2024 Q1. */
const PERIOD = /^\d{4}([-/ ]?(0[1-9]|1[0-2])([-/]\d{2})?|[-/ ]?[QH][1-4])$/i;
const ID_NAME = /(^|[_\s-])(id|uuid|guid|sku|zip|postcode|postal code|phone|iban|ean|isbn)$/i;
/**
 * A number of a thing that is numbered, such as `order_no` and `Rechnung Nr.`; `visitor_number` and
 * `number_of_orders` are counts.
 */
const NUMBER_NAME = new RegExp(
  "(^|[_\\s-])(order|po|purchase|invoice|receipt|bill|voucher|delivery|shipment|tracking|document|doc|case|ticket|claim|contract|" +
    "policy|project|job|batch|lot|serial|part|item|article|product|model|account|customer|client|supplier|vendor|member|" +
    "employee|staff|patient|student|phone|telephone|mobile|fax|house|room|line|row|position|ref|reference|registration|" +
    "vat|tax|device|sensor|meter|machine|vehicle|asset|station|" +
    "rechnung|rechnungs|auftrag|auftrags|bestell|bestellung|bestellungs|beleg|lieferschein|vertrag|vertrags|kunde|kunden|" +
    "artikel|konto|serien|personal|ordre|faktura|kund)[_\\s-](no|nr|num|number|nummer)[.:]?$",
  "i",
);
const CAMEL_ID = /[a-z](Id|ID|Uuid)$/;
const CALENDAR_WORD =
  "year|quarter|month|week|day|weekday|hour|qtr|dow|isodow|dayofweek|weekofyear|jahr|quartal|monat|kalenderwoche|wochentag|stunde|" +
  "år|kvartal|månad|vecka|veckodag|timme|uke|måned|ukedag|time_of_day|année|annee|trimestre|mois|semaine|heure|año|mes|semana|hora";
const CALENDAR_NAME = new RegExp(`(^|[_\\s-])(${CALENDAR_WORD})([_\\s-]|$)`, "iu");
/** How the engine names parts of a date: `"year"(order_date)`, `dayofweek(d)`, `main.date_part('hour', t)`. */
const CALENDAR_CALL =
  /^(?:main\.)?(?:"?(year|quarter|month|week|weekofyear|weekday|dayofweek|isodow|day|dayofmonth|hour|minute)"?\(|(?:date_part|datepart)\('(\w+)')/i;
/** A rate, as `Hours per week` and `Flights a day`, is a figure. */
const RATE_NAME =
  /((^|[_\s-])(per|pro|an?|each)[_\s-]+|\/\s*)(year|quarter|month|week|day|weekday|hour|qtr|jahr|år)([_\s-]|$)/i;
/** Figures that a year, or a part of one, may have. */
const MAX_CALENDAR = 9_999;
/** A year when its values are years, as in `customer_since`. */
const SINCE_NAME = /(^|[_\s-])(since|launched|founded|established|built|born|vintage)([_\s-]|$)/i;

export function isNumberType(type: string): boolean {
  return NUMBER_TYPE.test(type);
}

export function isDateType(type: string): boolean {
  return DATE_TYPE.test(type);
}

export function isIdName(name: string): boolean {
  return ID_NAME.test(name) || NUMBER_NAME.test(name) || CAMEL_ID.test(name) || name.toLowerCase() === "id";
}

/**
 * What a column is for, from its name, type and values. `values` may be a sample; `distinct` counts
 * the different ones in it, nulls aside.
 */
export function columnRole(column: {
  readonly name: string;
  readonly type: string;
  readonly values: readonly Cell[];
  readonly distinct: number;
  readonly rows: number;
}): ColumnRole {
  const { name, type, values, distinct, rows } = column;
  if (isDateType(type)) return "date";
  if (isIdName(name)) return "id";
  const whole = WHOLE_TYPE.test(type);
  if ((whole || (isNumberType(type) && values.every(isWhole))) && isCalendar(name, values)) return "date";
  if (whole && SINCE_NAME.test(name) && values.every(isYear)) return "date";
  if (isNumberType(type))
    return rows > 1 && distinct === 1 && whole && !isFigureName(name) ? "constant" : "measure";
  const texts = values.filter((value) => value !== null);
  if (texts.length > 0 && texts.every((value) => typeof value === "string" && PERIOD.test(value)))
    return "date";
  return rows > 1 && distinct <= 1 ? "constant" : "category";
}

function isCalendar(name: string, values: readonly Cell[]): boolean {
  const mayBe = (value: Cell): boolean =>
    value === null || (Number(value) >= 0 && Number(value) <= MAX_CALENDAR);
  const isNamed = (CALENDAR_NAME.test(name) && !RATE_NAME.test(name)) || calendarPart(name) !== undefined;
  return isNamed && values.every(mayBe);
}

/** `year` of `"year"(order_date)`: the part of a date that a computed column holds. */
export function calendarPart(name: string): string | undefined {
  const [, called, part] = CALENDAR_CALL.exec(name) ?? [];
  return called ?? part;
}

const isWhole = (value: Cell): boolean => value === null || Number.isInteger(value);

/** A computed or counted column stays a measure even where every row has the same figure. */
function isFigureName(name: string): boolean {
  return /\(|count|total|sum|avg|average|number|amount|revenue|sales|price|cost|value|quantity|qty|stock|units?\b/i.test(
    name,
  );
}

function isYear(value: Cell): boolean {
  return value === null || (typeof value === "number" && value >= 1900 && value <= 2100);
}
