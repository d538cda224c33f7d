import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
  type YAMLError,
} from 'yaml';
import type { Path } from './path.ts';

type Place = { line: number; column: number };

/** A YAML text as read: its tree, and where in the text each setting stands. */
export type ConfigDocument = {
  tree: Document.Parsed;
  /** What stops the reading of the file: keys written twice, and the first of the errors that make others. */
  syntax: (Place & { path: Path; message: string })[];
  /** The place of the value (or key) at a path, or of the nearest thing above it that is written. */
  locate: (path: Path, at?: 'key') => Place;
  /** The node of the value at a path, or undefined when nothing is written there. */
  find: (path: Path) => Node | undefined;
};

/** Reads YAML (and so JSON) without resolving it to plain values yet. */
export function parseConfigText(text: string): ConfigDocument {
  const lines = new LineCounter();
  // The parser would compare each key with all before it: a table of 100,000 brands would take minutes.
  const tree = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: true, uniqueKeys: false });
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  return {
    tree,
    syntax: syntaxErrors(tree, text).map(({ offset, path, message }) => {
      const { line, column } = placeAt(offset);
      return { line, column, path, message };
    }),
    locate: (path, at) => placeAt(offsetOf(tree, path, at)),
    find: (path) => step(tree, path).value,
  };
}

type SyntaxMistake = { offset: number; path: Path; message: string };

function syntaxErrors(tree: Document.Parsed, text: string): SyntaxMistake[] {
  const [first] = tree.errors;
  const mistakes: SyntaxMistake[] = keysWrittenTwice(tree, text);
  // A broken value may have been taken for a key, and a path would show it.
  if (first !== undefined) mistakes.push({ offset: first.pos[0], path: [], message: describe(first, text) });
  visit(tree, {
    Alias(_, alias, ancestors) {
      if (mistakes.length > 0 || alias.resolve(tree) !== undefined) return;
      mistakes.push({ offset: alias.range?.[0] ?? 0, path: pathOf([...ancestors, alias]), message: DANGLING_ALIAS });
    },
  });
  if (mistakes.length === 0 && !canBeResolved(tree)) {
    mistakes.push({
      offset: 0,
      path: [],
      message: 'the aliases (*name) expand too far; write the values out',
    });
  }
  return mistakes;
}

/** The parser refuses aliases of aliases that would fill the memory. */
function canBeResolved(tree: Document.Parsed): boolean {
  try {
    tree.toJS();
    return true;
  } catch {
    return false;
  }
}

/** Keys that stand above in the same map already. */
function keysWrittenTwice(tree: Document.Parsed, text: string): SyntaxMistake[] {
  const found: SyntaxMistake[] = [];
  visit(tree, {
    Map(_, map, ancestors) {
      const known = new Set<unknown>();
      for (const pair of map.items) {
        if (!isScalar(pair.key)) continue;
        const offset = pair.key.range?.[0] ?? 0;
        const message = `the key "${keyAt(text, offset)}" is written twice in this map; keep one`;
        if (known.has(pair.key.value)) found.push({ offset, path: pathOf([...ancestors, map, pair]), message });
        known.add(pair.key.value);
      }
    },
  });
  return found;
}

/** The path of a node of the tree, from the chain of nodes that `visit` gives. */
export function pathOf(chain: readonly unknown[]): Path {
  const path: (string | number)[] = [];
  for (const [index, item] of chain.entries()) {
    if (isPair(item) && isScalar(item.key) && !isMergeKey(item.key.value)) path.push(String(item.key.value));
    else if (isSeq(item)) path.push(item.items.indexOf(chain[index + 1]));
  }
  return path;
}

type Found = { key: Node | undefined; value: Node | undefined };

function step(tree: Document.Parsed, path: Path): Found {
  let found: Found = { key: undefined, value: tree.contents ?? undefined };
  for (const name of path) found = child(tree, found.value, name);
  return found;
}

function child(tree: Document.Parsed, node: Node | undefined, name: string | number): Found {
  const nothing: Found = { key: undefined, value: undefined };
  const parent = isAlias(node) ? node.resolve(tree) : node;
  if (isSeq(parent)) {
    const item = parent.items[Number(name)];
    return isNode(item) ? { key: undefined, value: item } : nothing;
  }
  if (!isMap(parent)) return nothing;
  for (const pair of parent.items) {
    if (isScalar(pair.key) && String(pair.key.value) === String(name)) {
      return { key: pair.key, value: isNode(pair.value) ? pair.value : undefined };
    }
  }
  for (const pair of parent.items) {
    const merged = isScalar(pair.key) && isMergeKey(pair.key.value) ? pair.value : undefined;
    const sources = isSeq(merged) ? merged.items : [merged];
    for (const source of sources) {
      const found = child(tree, isNode(source) ? source : undefined, name);
      if (found.key !== undefined) return found;
    }
  }
  return nothing;
}

/** True for the key `<<`, which takes in the keys of another map. */
function isMergeKey(key: unknown): boolean {
  return key === '<<' || (typeof key === 'symbol' && key.description === '<<');
}

function offsetOf(tree: Document.Parsed, path: Path, at?: 'key'): number {
  for (let length = path.length; length > 0; length--) {
    const { key, value } = step(tree, path.slice(0, length));
    const isWhole = length === path.length;
    const nodes = isWhole && at === undefined ? [value, key] : [key, value];
    for (const node of nodes) if (node?.range) return node.range[0];
  }
  return 0;
}

const DANGLING_ALIAS = 'an alias (*name) without its anchor (&name); put a value that starts with "*" in quotes';

/** What a syntax error means and what to do; the parser's own words where they cannot quote the text, which may be secret. */
function describe(error: YAMLError, text: string): string {
  const known: Partial<Record<YAMLError['code'], string>> = {
    TAB_AS_INDENT: 'a tab indents this line; YAML is indented with spaces',
    BAD_INDENT: 'the indentation does not fit the lines above; keys of one map start in the same column',
    MULTIPLE_DOCS: 'a second document starts here ("---"); keep one document in the file',
    BAD_ALIAS: DANGLING_ALIAS,
    BLOCK_AS_IMPLICIT_KEY: 'a second ": " on this line; put a value that contains ": " in quotes',
    BAD_SCALAR_START: 'this character cannot start a value; put the value in quotes',
    TAG_RESOLVE_FAILED: 'an unknown tag (!name); put a value that starts with "!" in quotes',
  };
  const message = known[error.code] ?? `not valid YAML: ${error.message.split(':')[0]}`;
  const line = text.slice(text.lastIndexOf('\n', error.pos[0] - 1) + 1).split('\n', 1)[0] ?? '';
  const unquoted = /[{[,].*\$\{/u.test(line);
  return unquoted ? `${message}; inside { } and [ ] put "\${NAME}" in quotes` : message;
}

function keyAt(text: string, offset: number): string {
  return /^(?:"[^"\n]*"|'[^'\n]*'|[^:\n]*)/u.exec(text.slice(offset))?.[0].replaceAll(/^["']|["']$/gu, '') ?? '';
}
