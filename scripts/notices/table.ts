// Licence texts that aren't found as a licence file of the package. The files beside this one hold texts without copyright lines.

/** A text that the package doesn't bring: `text` is a file of this folder without `.txt`. */
export interface Terms {
  /** The SPDX expression. */
  readonly licence: string;
  readonly copyright: readonly string[];
  readonly text: string;
}

const NODE_PTY: Terms = {
  licence: 'MIT',
  copyright: [
    'Copyright (c) 2012-2015, Christopher Jeffrey (https://github.com/chjj/)',
    'Copyright (c) 2016, Daniel Imms (http://www.growingwiththeweb.com)',
    'Copyright (c) 2018 - present Microsoft Corporation',
  ],
  text: 'MIT',
};

/** Packages without a licence file of their own, or with one that only points to their repository's. */
export const SUPPLIED: Readonly<Record<string, Terms>> = {
  // Its siblings of the same repository carry this line.
  '@ai-sdk/provider-utils': {
    licence: 'Apache-2.0',
    copyright: ['Copyright 2023 Vercel, Inc.'],
    text: 'Apache-2.0',
  },
  // The licence file of @lydell/node-pty, which these binaries are built from.
  ...Object.fromEntries(
    ['x64', 'arm64'].map((processor) => [`@lydell/node-pty-linux-${processor}`, NODE_PTY]),
  ),
  // The author in its package.json.
  '@vscode/l10n': { licence: 'MIT', copyright: ['Copyright (c) Microsoft Corporation'], text: 'MIT' },
  '@workflow/serde': { licence: 'Apache-2.0', copyright: ['Copyright Vercel, Inc.'], text: 'Apache-2.0' },
};

/** A text that the package does bring, in `file` below its folder. */
export interface TermsInside {
  readonly licence: string;
  readonly file: string;
}

/** What packages hold of others, by the package's name without the platform at its end. */
export const CARRIED: Readonly<Record<string, Readonly<Record<string, Terms | TermsInside>>>> = {
  '@ai-sdk/provider-utils': {
    'secure-json-parse': {
      licence: 'BSD-3-Clause',
      copyright: [
        'Copyright (c) Vercel, Inc.',
        'Copyright (c) 2019 The Fastify Team',
        'Copyright (c) 2019, Sideway Inc, and project contributors',
        'All rights reserved.',
      ],
      text: 'BSD-3-Clause',
    },
    'zod-to-json-schema': {
      licence: 'ISC',
      file: 'src/to-json-schema/zod3-to-json-schema/LICENSE',
    },
  },
  unpdf: {
    'pdf.js': { licence: 'Apache-2.0', copyright: ['Copyright Mozilla Foundation'], text: 'Apache-2.0' },
  },
  // The package's own licence is for its script; `rg --version` names PCRE2, and the builds for musl have jemalloc inside.
  '@vscode/ripgrep': {
    ripgrep: { licence: 'MIT OR Unlicense', copyright: ['Copyright (c) 2015 Andrew Gallant'], text: 'MIT' },
    PCRE2: {
      licence: 'BSD-3-Clause WITH PCRE2-exception',
      copyright: [
        'Copyright (c) 1997-2007 University of Cambridge',
        'Copyright (c) 2007-2024 Philip Hazel',
        'Copyright (c) 2009-2024 Zoltan Herczeg',
      ],
      text: 'PCRE2',
    },
    jemalloc: {
      licence: 'BSD-2-Clause',
      copyright: [
        'Copyright (C) 2002-present Jason Evans. All rights reserved.',
        'Copyright (C) 2007-2012 Mozilla Foundation. All rights reserved.',
        'Copyright (C) 2009-present Facebook, Inc. All rights reserved.',
      ],
      text: 'BSD-2-Clause',
    },
  },
};
