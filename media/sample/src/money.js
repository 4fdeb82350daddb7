/** Formats whole cents for people: 123456 becomes "1,234.56". */
export function formatMoney(cents) {
  const sign = cents < 0 ? '-' : '';
  const whole = Math.floor(Math.abs(cents) / 100);
  const rest = String(Math.abs(cents) % 100).padStart(2, '0');
  return `${sign}${whole.toLocaleString('en-US')}.${rest}`;
}
