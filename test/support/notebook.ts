/** A code cell as Jupyter keeps it; it ran when it has outputs. */
export function codeCell(id: string, source: readonly string[], outputs: readonly object[] = []): object {
  const execution_count = outputs.length > 0 ? 1 : null;
  return { cell_type: 'code', execution_count, id, metadata: {}, outputs, source };
}

/** A notebook as Jupyter writes it: one space of indentation, sorted keys, a line end at the end. */
export function notebookOf(cells: readonly object[]): string {
  const metadata = { language_info: { name: 'python' } };
  return `${JSON.stringify({ cells, metadata, nbformat: 4, nbformat_minor: 5 }, null, 1)}\n`;
}

/** What a cell printed. */
export function printed(text: string): object {
  return { name: 'stdout', output_type: 'stream', text: [text] };
}
