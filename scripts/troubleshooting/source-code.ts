import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync } from 'oxc-parser';

/** A node of a syntax tree, as far as it is looked at. */
export type Node = { type: string; start: number; end: number } & Record<string, unknown>;

/** One file, with what its expressions may refer to; `imports` has the names and the files that they come from. */
export type SourceFile = {
  path: string;
  nodes: Node[];
  functions: NamedFunction[];
  /** Every function, also those without a name. */
  scopes: Node[];
  imports: Map<string, string>;
};

/** A function with a name; `parameters` has an empty name for what is taken apart. */
type NamedFunction = { name: string; parameters: string[]; node: Node };

const ROOT = join(import.meta.dirname, '../..');

/** The program without the sandbox, which is the service and has no users' errors. */
export function readProgram(): SourceFile[] {
  const files = globSync('src/**/*.ts', { cwd: ROOT, exclude: ['src/sandbox/**'] }).toSorted();
  return files.map((path) => {
    const nodes = nodesUnder(parseSync(path, readFileSync(join(ROOT, path), 'utf8')).program);
    const scopes = nodes.filter(({ type }) => SCOPES.includes(type));
    return { path, nodes, functions: nodes.flatMap(functionOf), scopes, imports: importsOf(path, nodes) };
  });
}

const SCOPES = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];

function importsOf(path: string, nodes: Node[]): Map<string, string> {
  const declarations = nodes.filter(({ type }) => type === 'ImportDeclaration');
  return new Map(
    declarations.flatMap(({ source, specifiers }) => {
      const from = join(dirname(path), String((source as Node)['value']));
      return (specifiers as Node[]).map(({ local }) => [nameOf(local), from] as const);
    }),
  );
}

/** A node and everything below it, in the order of the text. */
function nodesUnder(value: unknown): Node[] {
  if (Array.isArray(value)) return value.flatMap(nodesUnder);
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.values(value).flatMap(nodesUnder);
  return isNode(value) ? [value, ...below] : below;
}

function isNode(value: object): value is Node {
  return 'type' in value && 'start' in value && typeof value.type === 'string';
}

function functionOf(node: Node): NamedFunction[] {
  if (node.type === 'FunctionDeclaration') return [named(nameOf(node['id']), node)];
  const init = node['init'] as Node | null | undefined;
  if (node.type !== 'VariableDeclarator' || init?.type !== 'ArrowFunctionExpression') return [];
  return [named(nameOf(node['id']), init)];
}

function named(name: string, node: Node): NamedFunction {
  return { name, parameters: (node['params'] as Node[]).map(nameOf), node };
}

/** The name that an identifier is; empty for anything else. */
export function nameOf(node: unknown): string {
  const { type, name } = (node ?? {}) as { type?: string; name?: string };
  return type === 'Identifier' && name !== undefined ? name : '';
}
