import { escapeRegExp } from '#base/text';

/** How one kind of secret looks. */
export interface Shape {
  /** What it is, as the replacement says it. */
  readonly what: string;
  /** Every match begins with one of these; they are looked for first, all at once. */
  readonly starts: readonly string[];
  /**
   * Sticky, tried where a start stands. A first group stays as it is. Its cost where it fails must be bounded by a
   * constant or by text that no other start shares: hostile output is matched too.
   */
  readonly pattern: RegExp;
  /** What may not stand right before it. */
  readonly notAfter?: RegExp;
  /** What may follow a start while the secret may still be coming in. */
  readonly open: RegExp;
  /** Characters of which that can be said, where it is more than 4096. */
  readonly openFor?: number;
  /** In the place of `pattern` in text that a person decides on; `false`: left as it is there. */
  readonly asked?: RegExp | false;
}

const WORD = /[A-Za-z0-9]/;
const TOKEN = /[A-Za-z0-9_-]/;
const OPEN_TOKEN = /^[\w.+/=%~-]{0,4096}$/;
const OPEN_LINE = /^[^\n]{0,200}$/;

/** A prefix of the issuer's and a run of characters. */
function token(what: string, starts: string | readonly string[], rest: string): Shape {
  const list = typeof starts === 'string' ? [starts] : starts;
  const pattern = new RegExp(`(?:${list.map(escapeRegExp).join('|')})${rest}`, 'y');
  return { what, starts: list, pattern, notAfter: WORD, open: OPEN_TOKEN };
}

/** A value that is known by the words before it, which stay. */
function named(what: string, starts: readonly string[], between: string, value: string): Shape {
  const heads = starts.map(escapeRegExp).join('|');
  return { what, starts, pattern: new RegExp(`((?:${heads})${between})${value}`, 'y'), open: OPEN_LINE };
}

/** In a word of twenty letters that no key is (`sk-loading-spinner`) there is no digit. */
const DIGIT_SOON = '(?=[\\w-]{0,60}\\d)';

const ENDS = '(?![A-Za-z0-9])';

/**
 * Keys and tokens by the prefixes that their issuers document, so that scanners can find them.
 * Sources: the issuers' pages on their token formats, and the rules of public scanners (gitleaks, GitHub secret scanning).
 */
const TOKENS: readonly Shape[] = [
  token('Anthropic key', 'sk-ant-', '[\\w-]{20,4000}'),
  token('OpenRouter key', 'sk-or-v1-', '[A-Za-z0-9]{32,4000}'),
  token('OpenAI key', ['sk-proj-', 'sk-svcacct-', 'sk-admin-', 'sk-None-'], `${DIGIT_SOON}[\\w-]{20,4000}`),
  token('API key', 'sk-', `${DIGIT_SOON}[A-Za-z0-9]{20,4000}`),
  token('Google API key', 'AIza', `[\\w-]{35}(?![\\w-])`),
  token('Google client secret', 'GOCSPX-', '[\\w-]{28}'),
  token('Google access token', 'ya29.', '[\\w-]{20,4000}'),
  token('GitHub token', ['ghp_', 'gho_', 'ghu_', 'ghr_'], '[A-Za-z0-9_]{36,4000}'),
  // Those of apps may hold a signed part with two dots.
  token('GitHub token', 'ghs_', '[\\w-]{36,2000}(?:\\.[\\w-]{10,2000}){0,2}'),
  token('GitHub token', 'github_pat_', '[A-Za-z0-9_]{22,4000}'),
  token(
    'GitLab token',
    [
      'glpat-',
      'gldt-',
      'glrt-',
      'glrtr-',
      'glptt-',
      'glcbt-',
      'glsoat-',
      'glft-',
      'glimt-',
      'glagent-',
      'gloas-',
    ],
    '[\\w.-]{20,4000}',
  ),
  token(
    'Slack token',
    ['xoxa-', 'xoxb-', 'xoxp-', 'xoxo-', 'xoxs-', 'xoxr-', 'xoxe-', 'xoxe.', 'xapp-'],
    `${DIGIT_SOON}[A-Za-z0-9-]{10,4000}`,
  ),
  token('npm token', 'npm_', `[A-Za-z0-9]{36}${ENDS}`),
  token('PyPI token', 'pypi-AgEIcHlwaS5vcmc', '[\\w-]{40,4000}'),
  token('RubyGems key', 'rubygems_', '[a-f0-9]{48}'),
  token('crates.io token', 'cio', `[A-Za-z0-9]{32}${ENDS}`),
  token('Docker token', ['dckr_pat_', 'dckr_oat_'], '[\\w-]{27,4000}'),
  token('AWS key id', ['AKIA', 'ASIA', 'ABIA', 'ACCA'], `[A-Z2-7]{16}${ENDS}`),
  token(
    'Stripe key',
    ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'sk_prod_', 'rk_prod_'],
    '[A-Za-z0-9]{10,4000}',
  ),
  token('Stripe webhook secret', 'whsec_', '[A-Za-z0-9+/=]{24,4000}'),
  token('Hugging Face token', ['hf_', 'api_org_'], `[A-Za-z0-9]{34}${ENDS}`),
  token('Groq key', 'gsk_', '[A-Za-z0-9]{48,4000}'),
  token('xAI key', 'xai-', '[A-Za-z0-9]{70,4000}'),
  token('Perplexity key', 'pplx-', '[A-Za-z0-9]{40,4000}'),
  token('Replicate token', 'r8_', `[A-Za-z0-9]{37}${ENDS}`),
  token('NVIDIA key', 'nvapi-', '[\\w-]{60,4000}'),
  token('Tavily key', 'tvly-', `${DIGIT_SOON}[\\w-]{24,4000}`),
  token('Databricks token', 'dapi', `[a-f0-9]{32}${ENDS}`),
  token('DigitalOcean token', ['dop_v1_', 'doo_v1_', 'dor_v1_'], '[a-f0-9]{64}'),
  token('Shopify token', ['shpat_', 'shpca_', 'shppa_', 'shpss_'], '[a-fA-F0-9]{32}'),
  token('SendGrid key', 'SG.', '[\\w-]{20,24}\\.[\\w-]{39,50}'),
  token('Vault token', ['hvs.', 'hvb.'], `${DIGIT_SOON}[\\w-]{24,4000}`),
  token('Linear key', 'lin_api_', '[A-Za-z0-9]{32,4000}'),
  token('Notion token', 'ntn_', '[A-Za-z0-9]{40,4000}'),
  token('Grafana token', ['glsa_', 'glc_'], '[A-Za-z0-9+/=_]{32,4000}'),
  token('Supabase key', ['sbp_', 'sb_secret_'], '[A-Za-z0-9_]{24,4000}'),
  token('Atlassian token', ['ATATT3', 'ATCTT3'], '[\\w=-]{60,4000}'),
  token('Figma token', 'figd_', '[\\w-]{38,4000}'),
  token('Postman key', 'PMAK-', '[a-f0-9-]{50,4000}'),
  token('Sentry token', ['sntrys_', 'sntryu_'], '[A-Za-z0-9+/=_]{60,4000}'),
  token('age secret key', 'AGE-SECRET-KEY-1', '[A-Z0-9]{58}'),
];

const SEPARATOR = `["'\\\\]{0,2}[ \\t]{0,3}(?:=>|:=|[=:,])?[ \\t]{0,3}["'\\\\]{0,2}`;

const NAMED: readonly Shape[] = [
  named(
    'AWS secret key',
    ['SECRET_ACCESS_KEY', 'secret_access_key', 'SecretAccessKey', 'secretAccessKey'],
    SEPARATOR,
    '[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])',
  ),
  named('Azure account key', ['AccountKey=', 'SharedAccessKey='], '', '[A-Za-z0-9+/]{43,86}={1,2}'),
  named('Azure signature', ['?sig=', '&sig='], '', '[\\w%+/-]{40,100}={0,2}'),
  {
    what: 'Azure client secret',
    // Its mark stands in the middle, behind three characters that tell nothing.
    starts: Array.from({ length: 10 }, (_, digit) => `${digit}Q~`),
    pattern: /\dQ~[\w.~-]{31,34}(?![\w.~-])/y,
    open: /^[\w.~-]{0,40}$/,
  },
  named(
    'credentials of a request',
    ['uthorization', 'UTHORIZATION'],
    `["'\\\\]{0,2}[ \\t]{0,3}[:=][ \\t]{0,3}["'\\\\]{0,2}(?:[Bb]earer|[Bb]asic|[Tt]oken|[Bb]ot)[ \\t]{1,3}`,
    // A lower-case word is prose or a placeholder: "Basic authentication".
    '(?![a-z]{8,24}(?![A-Za-z0-9._~+/=-]))[A-Za-z0-9._~+/=-]{8,4000}',
  ),
  named('Slack webhook', ['hooks.slack.com/'], '(?:services|workflows|triggers)/', '[A-Za-z0-9/]{20,4000}'),
];

const KEY_HEAD = '-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----';

const OTHERS: readonly Shape[] = [
  {
    what: 'private key',
    starts: ['-----BEGIN '],
    // Up to its end or, where that was cut off, as far as lines look like one. Before each may stand
    // what a diff, a quotation or line numbers put there.
    pattern: new RegExp(
      `${KEY_HEAD}(?:(?:[^-]|-(?!----)){0,20000}-{5,8}END [A-Z0-9 ]{1,60}-----|(?:(?:\\s|\\\\[nr]){0,8}[\\d:>|→\\t +-]{0,12}[A-Za-z0-9+/=]{16,4000}){0,2000})`,
      'y',
    ),
    open: /^(?:[A-Z0-9 ]{0,60}|[A-Z0-9 ]{0,60}PRIVATE KEY(?: BLOCK)?-{1,5}(?:[^-]|-(?!----)){0,20000}(?:-{1,8}(?:E(?:N(?:D(?: [A-Z0-9 ]{0,60}-{0,4})?)?)?)?)?)$/,
    openFor: 20_200,
    asked: false,
  },
  {
    what: 'JSON Web Token',
    starts: ['eyJ'],
    pattern: /eyJ[\w-]{10,8000}\.eyJ[\w-]{10,8000}\.[\w-]*/y,
    notAfter: TOKEN,
    open: OPEN_TOKEN,
  },
  {
    what: 'URL password',
    starts: ['://'],
    // Not what only stands for one: ${PASSWORD}, <password>, ****, %s.
    pattern: /(:\/\/[^\s/?#:@"'<>`\\]{0,200}:)(?!\$|\{|%s|\*+@|\[)[^\s/?#@"'<>`\\]{1,400}(?=@[\w[])/y,
    // Signs of the shell would let a password hide what runs.
    asked: /(:\/\/[^\s/?#:@"'<>`\\]{0,200}:)[\w.~%+,=-]{1,400}(?=@[\w[])/y,
    notAfter: /[^\w+.-]/,
    open: /^[^\s/?#@"'<>`\\]{0,600}@?$/,
  },
];

export const SHAPES: readonly Shape[] = [...TOKENS, ...NAMED, ...OTHERS];
