const ESCAPE = /\\(n|t|r|\\|x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|0?[0-7]{1,3})/g;

/** What `echo` or `printf` prints of operands that stand on the line: places filled, escapes resolved. */
export function printedText(name: string, operands: readonly string[]): string {
  if (name !== 'printf') return unescaped(operands.filter((word) => !/^-[neE]+$/.test(word)).join(' '));
  const [format = '', ...values] = operands[0] === '--' ? operands.slice(1) : operands;
  let next = 0;
  const text = format.replace(/%[-0-9.]*[sbq]/g, () => values[next++] ?? '');
  // With values left over the format begins anew; here they only follow.
  return unescaped([text, ...values.slice(next)].join(' '));
}

function unescaped(text: string): string {
  return text.replace(ESCAPE, (_, code: string) => {
    if (code === 'n') return '\n';
    if (code === 't') return '\t';
    if (code === 'r') return '\r';
    if (code === '\\') return code;
    return /^[xu]/.test(code)
      ? String.fromCharCode(Number.parseInt(code.slice(1), 16))
      : String.fromCharCode(Number.parseInt(code, 8) & 0xff);
  });
}
