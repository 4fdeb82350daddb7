const BULK_QUANTITY = 10;
const BULK_PERCENT = 10;

/** The price of one line of an order in cents: ten or more pieces of an article are cheaper. */
export function linePrice({ price, quantity }) {
  const full = price * quantity;
  if (quantity > BULK_QUANTITY) {
    return full - Math.round((full * BULK_PERCENT) / 100);
  }
  return full;
}
