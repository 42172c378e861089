/** `InvoiceDate` and `Invoice date` -> `invoice_date`: what a column is called in a statement's result. */
export function snakeName(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/\s+/g, "_")
    .toLowerCase();
}
