// Makes the sales data of Norrvik Instruments, a company that does not exist: products, customers
// and 54,000 order lines from 2023 to 2025. The same seed gives the same files, byte for byte.
//
//   node examples/norrvik/make/generate-data.mjs [FOLDER]      (default: ../data)
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const SEED = 20_260_114;
const ORDER_LINES = 54_000;

/** mulberry32: 32 bits of state, good enough for sample data. */
function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const random = randomFrom(SEED);
const pick = (list) => list[Math.floor(random() * list.length)];
const between = (low, high) => low + Math.floor(random() * (high - low + 1));
const cents = (value) => (Math.round(value * 100) / 100).toFixed(2);

// [id, name, family, list price in EUR, launch year, weight]
const PRODUCTS = [
  ["P-101", "Sonde 3 probe", "Probes", 2150, 2017, 9],
  ["P-102", "Sonde 4 probe", "Probes", 2690, 2021, 14],
  ["P-103", "pH Mini", "Probes", 340, 2015, 12],
  ["P-104", "Turbidity T2", "Probes", 890, 2018, 10],
  ["P-105", "Nitrate UV-S", "Probes", 3980, 2020, 5],
  ["P-106", "Chlorophyll C1", "Probes", 1740, 2019, 6],
  ["P-107", "Oxygen Optic", "Probes", 720, 2016, 11],
  ["P-201", "Station Fjord", "Stations", 6900, 2016, 4],
  ["P-202", "Station Fjord Solar", "Stations", 8400, 2020, 5],
  ["P-203", "Station Harbour", "Stations", 12800, 2018, 2],
  ["P-204", "Logger L5", "Stations", 1190, 2019, 9],
  ["P-205", "Logger L5 Cell", "Stations", 1490, 2022, 8],
  ["P-301", "Current Cloud", "Software", 480, 2019, 12],
  ["P-302", "Current Cloud Pro", "Software", 960, 2021, 9],
  ["P-303", "Foresight", "Software", 1450, 2024, 10],
  ["P-304", "Lab Link", "Software", 2200, 2020, 2],
  ["P-401", "Calibration visit", "Service", 640, 2012, 9],
  ["P-402", "Calibration kit", "Service", 128, 2014, 14],
  ["P-403", "Extended warranty", "Service", 310, 2015, 8],
  ["P-404", "Field training day", "Service", 1150, 2016, 3],
];

const REGIONS = {
  Nordics: [["Sweden", "Norway", "Finland", "Denmark"], 34],
  DACH: [["Germany", "Austria", "Switzerland"], 24],
  "UK & Ireland": [["United Kingdom", "Ireland"], 14],
  Benelux: [["Netherlands", "Belgium"], 10],
  "Southern Europe": [["Spain", "Italy", "Portugal"], 9],
  "North America": [["Canada", "United States"], 9],
};
const SEGMENTS = [
  ["Utility", 38],
  ["Municipality", 24],
  ["Aquaculture", 20],
  ["Industry", 12],
  ["Research", 6],
];
const PLACES = [
  "Alvik",
  "Brenna",
  "Dalsund",
  "Ekholm",
  "Fager",
  "Grimso",
  "Havn",
  "Isfeld",
  "Jarlund",
  "Kvist",
  "Lomma",
  "Myrvik",
  "Nesodd",
  "Orre",
  "Pelle",
  "Rosvik",
  "Sandby",
  "Tornio",
  "Ulvik",
  "Vallby",
  "Westerau",
  "Ystra",
  "Zell",
  "Akern",
  "Odense Ost",
];
const ENDINGS = {
  Utility: ["Water", "Waterworks", "Vann AB", "Wasserwerke"],
  Municipality: ["Municipality", "City Council", "Kommune"],
  Aquaculture: ["Salmon", "Seafood Farms", "Aqua"],
  Industry: ["Paper", "Foods", "Chemicals", "Power"],
  Research: ["Institute", "University", "Marine Lab"],
};

function weighted(entries) {
  const total = entries.reduce((sum, [, weight]) => sum + weight, 0);
  let at = random() * total;
  for (const [value, weight] of entries) {
    at -= weight;
    if (at < 0) return value;
  }
  return entries[entries.length - 1][0];
}

function makeCustomers(count) {
  const regions = Object.entries(REGIONS).map(([name, [, weight]]) => [name, weight]);
  return Array.from({ length: count }, (_, index) => {
    const region = weighted(regions);
    const segment = weighted(SEGMENTS);
    return {
      id: `C-${String(index + 1).padStart(4, "0")}`,
      name: `${pick(PLACES)} ${pick(ENDINGS[segment])}`,
      region,
      country: pick(REGIONS[region][0]),
      segment,
      since: between(2009, 2024),
      // Some customers buy a lot more than others.
      size: 0.3 + random() ** 3 * 6,
    };
  });
}

/** Field season: most orders come in spring and early autumn. */
const MONTHS = [0.78, 0.86, 1.12, 1.24, 1.22, 1.08, 0.8, 0.92, 1.14, 1.06, 0.96, 0.82];
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** How much of a product is sold in a month, against its usual weight. */
function demand([, , family, , launched], year, month) {
  if (year < launched) return 0;
  const t = year - 2023 + month / 12;
  if (family === "Software") return launched === 2024 ? 0.35 + 1.15 * (t - 1) : 0.8 + 0.22 * t;
  if (family === "Stations") return 0.92 + 0.07 * t;
  if (family === "Probes") return 1 + 0.02 * t;
  return 0.95 + 0.05 * t;
}

function makeSales(customers) {
  const buyers = customers.map((customer) => [customer, customer.size]);
  const months = [];
  for (let year = 2023; year <= 2025; year++) {
    for (let month = 0; month < 12; month++) {
      const products = PRODUCTS.map((product) => [product, product[5] * demand(product, year, month)]);
      const total = products.reduce((sum, [, weight]) => sum + weight, 0);
      months.push({ year, month, products, weight: total * MONTHS[month] });
    }
  }
  const all = months.reduce((sum, month) => sum + month.weight, 0);
  const rows = [];
  for (const month of months) {
    const lines = Math.round((ORDER_LINES * month.weight) / all);
    const days = month.year === 2024 && month.month === 1 ? 29 : DAYS[month.month];
    const dated = Array.from({ length: lines }, () => between(1, days)).toSorted((a, b) => a - b);
    for (const day of dated) {
      const [id, , family, list] = weighted(month.products);
      const customer = weighted(buyers);
      const quantity =
        family === "Stations" ? between(1, 3) : family === "Software" ? between(1, 6) : between(1, 4);
      const inflation = 1 + 0.03 * (month.year - 2023);
      const discount = random() < 0.25 ? between(1, 4) * 0.03 : 0;
      const price = list * inflation * (1 - discount);
      const date = `${month.year}-${String(month.month + 1).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
      const channel =
        random() < 0.22 + 0.04 * (month.year - 2023) ? "Online" : random() < 0.6 ? "Direct" : "Partner";
      rows.push([
        `S-${String(rows.length + 1).padStart(6, "0")}`,
        date,
        customer.id,
        id,
        quantity,
        cents(price),
        cents(quantity * price),
        customer.region,
        channel,
      ]);
    }
  }
  return rows;
}

function csv(header, rows) {
  const cell = (value) =>
    /[",\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value);
  return `${[header, ...rows].map((row) => row.map(cell).join(",")).join("\n")}\n`;
}

const folder = resolve(process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), "..", "data"));
const customers = makeCustomers(640);
const sales = makeSales(customers);
mkdirSync(folder, { recursive: true });
writeFileSync(
  join(folder, "products.csv"),
  csv(
    ["product_id", "product_name", "family", "list_price_eur", "launched"],
    PRODUCTS.map((p) => p.slice(0, 5)),
  ),
);
writeFileSync(
  join(folder, "customers.csv"),
  csv(
    ["customer_id", "customer_name", "region", "country", "segment", "customer_since"],
    customers.map((c) => [c.id, c.name, c.region, c.country, c.segment, c.since]),
  ),
);
writeFileSync(
  join(folder, "sales.csv"),
  csv(
    [
      "order_line_id",
      "order_date",
      "customer_id",
      "product_id",
      "quantity",
      "unit_price_eur",
      "revenue_eur",
      "region",
      "channel",
    ],
    sales,
  ),
);
console.error(
  `${sales.length} order lines, ${customers.length} customers, ${PRODUCTS.length} products in ${folder}`,
);
