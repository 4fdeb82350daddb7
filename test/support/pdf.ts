/** A small PDF with one line of text per entry of a page. `locked`: it wants a password. */
export function pdfOf(
  pages: readonly (readonly string[])[],
  { locked = false }: { readonly locked?: boolean } = {},
): Buffer {
  const kids = pages.map((_, index) => `${3 + index * 2} 0 R`).join(' ');
  const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    ...pages.flatMap((lines, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9000 9000] /Contents ${4 + index * 2} 0 R /Resources << /Font << /F1 ${font} >> >> >>`,
      streamOf(lines),
    ]),
  ];
  return fileOf(objects, locked);
}

/** A PDF whose first page unfolds to hundreds of millions of drawing orders. */
export function pdfBomb(content: Buffer): Buffer {
  return fileOf(
    [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << >> >>',
      `<< /Filter /FlateDecode /Length ${content.length} >>\nstream\n${content.toString('latin1')}\nendstream`,
    ],
    false,
  );
}

/** A picture of a PDF: its dictionary says what `data` is. */
export interface PdfPicture {
  readonly width: number;
  readonly height: number;
  /** Such as `/ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /FlateDecode`. */
  readonly form: string;
  readonly data: Buffer;
}

/** A PDF of pages that hold pictures and no text, as scanners make them. */
export function scannedPdf(pages: readonly (readonly PdfPicture[])[]): Buffer {
  const objects = ['<< /Type /Catalog /Pages 2 0 R >>', ''];
  const add = (object: string) => `${objects.push(object)} 0 R`;
  const kids = pages.map((pictures) => {
    const names = pictures.map(({ width, height, form, data }, index) => {
      const head = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} ${form} /Length ${data.length}`;
      return `/I${index} ${add(`<< ${head} >>\nstream\n${data.toString('latin1')}\nendstream`)}`;
    });
    const drawn = pictures.map((_, index) => `q 600 0 0 800 0 0 cm /I${index} Do Q`).join('\n');
    const content = add(`<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`);
    const resources = `<< /XObject << ${names.join(' ')} >> >>`;
    return add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents ${content} /Resources ${resources} >>`,
    );
  });
  objects[1] = `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${kids.length} >>`;
  return fileOf(objects, false);
}

function streamOf(lines: readonly string[]): string {
  const shown = lines.map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) Tj T*`).join('\n');
  const content = lines.length === 0 ? '' : `BT /F1 12 Tf 14 TL 72 8900 Td\n${shown}\nET`;
  return `<< /Length ${content.length} >>\nstream\n${content}\nendstream`;
}

function fileOf(objects: readonly string[], locked: boolean): Buffer {
  let text = '%PDF-1.4\n';
  const places: number[] = [];
  for (const [index, object] of objects.entries()) {
    places.push(text.length);
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
  }
  const start = text.length;
  const entries = places.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const bytes = 'a5'.repeat(32);
  const lock = locked
    ? ` /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${bytes}> /U <${bytes}> >> /ID [<${bytes}> <${bytes}>]`
    : '';
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}`;
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R${lock} >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}
