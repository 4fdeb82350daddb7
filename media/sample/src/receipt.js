import { linePrice } from './discount.js';
import { formatMoney } from './money.js';
import { priceOrder } from './order.js';

const WIDTH = 32;

/** The receipt of an order as text, one line for each article. */
export function receipt(lines) {
  const { shipping, total } = priceOrder(lines);
  return [
    ...lines.map((line) => row(`${line.quantity} x ${line.name}`, linePrice(line))),
    row('Shipping', shipping),
    row('Total', total),
  ].join('\n');
}

function row(label, cents) {
  const amount = formatMoney(cents);
  return label.padEnd(WIDTH - amount.length) + amount;
}
