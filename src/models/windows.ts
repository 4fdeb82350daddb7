/** Most tokens of input that a family of models takes, as their makers document it. The first that fits counts. */
const FAMILIES: readonly (readonly [pattern: RegExp, tokens: number])[] = [
  [/^claude-/, 200_000],
  // 400,000 with the output, of which 128,000 are reserved.
  [/^(ft:)?gpt-5-chat/, 128_000],
  [/^(ft:)?(gpt-[5-9]|codex)/, 272_000],
  [/^(ft:)?gpt-4\.1/, 1_047_576],
  [/^(ft:)?(gpt-4o|chatgpt-4o|gpt-4-turbo|gpt-4\.5|o1-mini|o1-preview)/, 128_000],
  [/^(ft:)?o[1-9]/, 200_000],
  [/^(ft:)?gpt-4/, 8192],
  [/^gemini-/, 1_048_576],
];

/** What the name of a model of the three makers says of its window; undefined for any other. */
export function windowOf(modelId: string): number | undefined {
  return FAMILIES.find(([pattern]) => pattern.test(modelId))?.[1];
}

/**
 * The window that an endpoint names when it refuses a request as too long: "maximum context length is 8192 tokens", "213462 tokens >
 * 200000 maximum", "the maximum number of tokens allowed (1048575)", "n_ctx": 4096.
 */
export function windowInWords(words: string): number | undefined {
  for (const pattern of NAMED) {
    const tokens = Number(pattern.exec(words)?.[1]?.replace(/[,_]/g, ''));
    if (tokens >= 512 && tokens <= 100_000_000) return tokens;
  }
  return undefined;
}

const NAMED = [
  /maximum (?:context|model|prompt)? ?(?:length|window)? ?(?:is|of) ([\d,]+)/i,
  /tokens > ([\d,]+) maximum/i,
  /maximum number of (?:input )?tokens allowed \(?([\d,]+)/i,
  /n_ctx"?\s*[:=]\s*"?([\d,]+)/i,
  /context (?:size|length|window)[^\d]{0,30}([\d,]+)/i,
];
