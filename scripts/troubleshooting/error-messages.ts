import type { ErrorCode } from '../../src/errors.ts';
import { nameOf, readProgram, type Node, type SourceFile } from './source-code.ts';

/** Stands for what is known only when it happens. */
const FACT = '…';

/** How far a text is followed through constants and callers, and how many forms one error may have. */
const LIMITS = { depth: 5, forms: 200 };

/** What functions give back unchanged, but for characters that a terminal would obey. */
const TRANSPARENT = ['printable', 'redact'];

/** The messages of all errors that the program can end a command or a run with, by code; `…` stands for facts. */
export function errorMessages(): Map<ErrorCode, string[]> {
  const program = readProgram();
  const found = new Map<ErrorCode, Set<string>>();
  for (const file of program) {
    for (const node of file.nodes) {
      if (node.type !== 'NewExpression' || nameOf(node['callee']) !== 'OfferlineError') continue;
      const [code, message] = node['arguments'] as Node[];
      const look: Look = { program, file, depth: 0 };
      for (const name of textsOf(code, look) as ErrorCode[]) {
        const messages = found.get(name) ?? new Set();
        for (const text of textsOf(message, look)) if (isMessage(text)) messages.add(text.trim());
        found.set(name, messages);
      }
    }
  }
  return new Map([...found].map(([code, messages]) => [code, [...messages].toSorted()]));
}

/** What can be wrong with the configuration, as `config check` says it; `…` stands for facts. */
export function configurationMistakes(): string[] {
  const program = readProgram();
  const files = program.filter(({ path }) => path.startsWith('src/config/') && path !== 'src/config/warnings.ts');
  const found = files.flatMap((file) =>
    file.nodes.flatMap(mistakeIn).flatMap((node) => textsOf(node, { program, file, depth: 0 })),
  );
  return [...new Set(found.filter((text) => wordsIn(text) > 2 || text.endsWith('; …')))].toSorted();
}

/** The expression of a mistake: `{ message: … }`, `{ problem: … }`, `mistakes.push(…)` or `unset.push(…)`. */
function mistakeIn({ type, key, value, callee, arguments: given }: Node): Node[] {
  if (type === 'Property') return ['message', 'problem'].includes(nameOf(key)) ? [value as Node] : [];
  const { object, property } = (callee ?? {}) as { object?: Node; property?: Node };
  const pushed =
    type === 'CallExpression' && ['mistakes', 'unset'].includes(nameOf(object)) && nameOf(property) === 'push';
  return pushed ? (given as Node[]) : [];
}

/** The messages that the program logs as errors. */
export function loggedErrors(): string[] {
  const messages = readProgram().flatMap((file) =>
    file.nodes.filter(isErrorLog).map((node) => String((node['arguments'] as Node[]).at(-1)?.['value'])),
  );
  return [...new Set(messages)].toSorted();
}

function isErrorLog({ type, callee }: Node): boolean {
  const { object, property } = (callee ?? {}) as { object?: Node; property?: Node };
  const logger = nameOf(object) === 'log' || nameOf(object?.['property']) === 'log';
  return type === 'CallExpression' && logger && ['error', 'fatal'].includes(nameOf(property));
}

/** Something is said, besides facts. */
function isMessage(text: string): boolean {
  return wordsIn(text) > 2;
}

function wordsIn(text: string): number {
  return (text.match(/\p{L}{2,}/gu) ?? []).length;
}

type Look = { program: SourceFile[]; file: SourceFile; depth: number };

/** The texts that an expression can be. */
function textsOf(node: Node | undefined, look: Look): string[] {
  if (node === undefined || look.depth > LIMITS.depth) return [FACT];
  const deeper = { ...look, depth: look.depth + 1 };
  const child = (key: string) => textsOf(node[key] as Node | undefined, deeper);
  switch (node.type) {
    case 'Literal':
      return [String(node['value'])];
    case 'TemplateLiteral':
      return templateTexts(node, deeper);
    case 'BinaryExpression':
      return node['operator'] === '+' ? joined([child('left'), child('right')]) : [FACT];
    case 'LogicalExpression':
      return limited([...child('left'), ...child('right')]);
    case 'ConditionalExpression':
      return limited([...child('consequent'), ...child('alternate')]);
    case 'TSAsExpression':
    case 'TSNonNullExpression':
    case 'ParenthesizedExpression':
      return child('expression');
    case 'CallExpression':
      return TRANSPARENT.includes(nameOf(node['callee'])) ? textsOf((node['arguments'] as Node[])[0], deeper) : [FACT];
    case 'MemberExpression':
      return entriesOf(node, deeper);
    case 'Identifier':
      return namedTexts(node, deeper);
    default:
      return [FACT];
  }
}

/** What stands in a template is followed only when that brings words, not numbers and names. */
function templateTexts(node: Node, look: Look): string[] {
  const quasis = (node['quasis'] as { value: { cooked: string } }[]).map(({ value }) => [value.cooked]);
  const parts = (node['expressions'] as Node[]).map((expression) => {
    const texts = textsOf(expression, look);
    return texts.some((text) => text.includes(' ')) ? texts : [FACT];
  });
  return joined(quasis.flatMap((quasi, at) => (at < parts.length ? [quasi, parts[at] ?? [FACT]] : [quasi])));
}

/** The values of a table that is looked up in: `WHAT_TO_DO[status]`. */
function entriesOf(node: Node, look: Look): string[] {
  const table = node['computed'] === true ? constant(nameOf(node['object']), node, look.file) : undefined;
  if (table?.type !== 'ObjectExpression') return [FACT];
  const properties = (table['properties'] as Node[]).filter(({ type }) => type === 'Property');
  return limited(properties.flatMap((property) => textsOf(property['value'] as Node, look)));
}

/** A constant's texts; those of a parameter are what the callers give. */
function namedTexts(node: Node, look: Look): string[] {
  const name = nameOf(node);
  const value = constant(name, node, look.file);
  if (value !== undefined) return textsOf(value, look);
  const owner = look.file.functions.findLast((one) => holds(one.node, node) && one.parameters.includes(name));
  if (owner === undefined) return [FACT];
  const at = owner.parameters.indexOf(name);
  const given = look.program.flatMap((file) =>
    callsOf(owner.name, look.file, file).flatMap((call) =>
      textsOf((call['arguments'] as Node[])[at], { ...look, file }),
    ),
  );
  return given.length === 0 ? [FACT] : limited(given);
}

/** The value of the constant of this name that was declared last before a place of the file, and can be seen from there. */
function constant(name: string, place: Node, { nodes, scopes }: SourceFile): Node | undefined {
  const isSeen = (declared: Node) => scopes.every((scope) => !holds(scope, declared) || holds(scope, place));
  const declared = nodes.filter(
    (node) => node.type === 'VariableDeclarator' && nameOf(node['id']) === name && isSeen(node),
  );
  const last = declared.findLast((node) => node.start < place.start) ?? declared[0];
  return (last?.['init'] as Node | null | undefined) ?? undefined;
}

function holds(outer: Node, inner: Node): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

/** The calls of a function of one file in another, or in itself. */
function callsOf(name: string, home: SourceFile, { path, nodes, imports }: SourceFile): Node[] {
  if (path !== home.path && imports.get(name) !== home.path) return [];
  return nodes.filter((node) => node.type === 'CallExpression' && nameOf(node['callee']) === name);
}

function joined(parts: string[][]): string[] {
  return parts.reduce((texts, part) => limited(texts.flatMap((text) => part.map((next) => text + next))), ['']);
}

function limited(texts: string[]): string[] {
  const different = [...new Set(texts)];
  return different.length > LIMITS.forms ? [FACT] : different;
}
