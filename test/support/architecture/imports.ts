import { parseAst } from 'vitest/node';

/** One import, export-from, `import()` or `import('…').Type` of a module: types count as much as values. */
export interface Import {
  readonly specifier: string;
  readonly isReExport: boolean;
}

export interface ModuleFacts {
  readonly imports: readonly Import[];
  readonly hasDefaultExport: boolean;
}

interface Node {
  readonly type: string;
  readonly source?: unknown;
  readonly expression?: unknown;
}

/** Reads a TypeScript source with a real parser, since a pattern would take strings and comments for imports. */
export function readModule(file: string, source: string): ModuleFacts {
  const imports: Import[] = [];
  let hasDefaultExport = false;
  for (const node of nodesOf(parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }, file))) {
    const specifier = SPECIFIER[node.type]?.(node);
    if (specifier !== undefined) imports.push({ specifier, isReExport: node.type.startsWith('Export') });
    if (node.type === 'ExportDefaultDeclaration' || node.type === 'TSExportAssignment')
      hasDefaultExport = true;
  }
  return { imports, hasDefaultExport };
}

const SPECIFIER: Readonly<Record<string, (node: Node) => string | undefined>> = {
  ImportDeclaration: ({ source }) => text(source),
  ExportNamedDeclaration: ({ source }) => text(source),
  ExportAllDeclaration: ({ source }) => text(source),
  ImportExpression: ({ source }) => text(source),
  TSImportType: ({ source }) => text(source),
  TSExternalModuleReference: ({ expression }) => text(expression),
};

function text(literal: unknown): string | undefined {
  if (typeof literal !== 'object' || literal === null || !('value' in literal)) return undefined;
  return typeof literal.value === 'string' ? literal.value : undefined;
}

function* nodesOf(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return;
  if ('type' in value && typeof value.type === 'string') yield value as Node;
  for (const child of Object.values(value)) yield* nodesOf(child);
}
