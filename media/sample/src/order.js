import { linePrice } from './discount.js';

const FREE_SHIPPING_FROM = 10_000;
const SHIPPING = 490;

/** What an order costs, in cents. */
export function priceOrder(lines) {
  const goods = lines.reduce((sum, line) => sum + linePrice(line), 0);
  const shipping = lines.length === 0 || goods >= FREE_SHIPPING_FROM ? 0 : SHIPPING;
  return { goods, shipping, total: goods + shipping };
}
