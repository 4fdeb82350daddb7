/** How ripgrep is told that files are in another encoding than UTF-8; UTF-16 with a byte order mark it knows by itself. */
export interface SearchEncoding {
  readonly args: readonly string[];
  /** What this search can't see, as the end of a sentence. */
  readonly note?: string;
}

/** Names of `files.encoding` by the names of the web, which ripgrep goes by; those it doesn't know are missing. */
const LABELS: Readonly<Record<string, string>> = {
  shiftjis: 'shift_jis',
  eucjp: 'euc-jp',
  euckr: 'euc-kr',
  cp950: 'big5',
  cp866: 'ibm866',
  koi8r: 'koi8-r',
  koi8u: 'koi8-u',
  macroman: 'macintosh',
  maccyrillic: 'x-mac-cyrillic',
  utf16le: 'utf-16le',
  utf16be: 'utf-16be',
};
const BY_RULE = /^(gbk|gb18030|gb2312|big5|big5hkscs|windows(125\d|874)|iso8859\d+)$/;

/** `set` is what the settings say of the place that is searched; undefined when it differs from file to file. */
export function searchEncoding(set: string | undefined): SearchEncoding {
  if (set === 'utf8' || set === 'utf8bom') return { args: [] };
  const label = set === undefined ? undefined : labelOf(set);
  if (label !== undefined) return { args: [`--encoding=${label}`] };
  const which = set === undefined ? 'other encodings than UTF-8' : set;
  return { args: [], note: `of files in ${which} only the plain letters (ASCII) were searched` };
}

function labelOf(name: string): string | undefined {
  if (!BY_RULE.test(name)) return LABELS[name];
  return name.replace('windows', 'windows-').replace('iso8859', 'iso-8859-').replace('hkscs', '-hkscs');
}
