import { isAlias, isScalar, isSeq, visit } from 'yaml';
import { type ConfigDocument, pathOf } from './document.ts';
import { matches, type Path } from './path.ts';
import type { Finding } from './problem.ts';

const MARKS = ['added', 'changed', 'removed'].map((key) => `feeds.*.change.${key}.*`);
const BRANDS = ['brands.aliases.*', 'feeds.*.brands.aliases.*'];

/** Of a list that is wrong throughout, the first items are enough. */
const MOST_ITEMS = 20;

/**
 * Finds codes and numbers of parts that stand without quotes where a text is meant, and that YAML reads as a number which is written otherwise: `0986` as
 * 986, `1E5` as 100000. `above`: the path under which the document stands.
 */
export function misreadNumbers({ tree }: ConfigDocument, above: Path = []): Finding[] {
  const findings: Finding[] = [];
  visit(tree, {
    Pair(_, pair, ancestors) {
      const value = isAlias(pair.value) ? pair.value.resolve(tree) : pair.value;
      const inKey = misreading(pair.key);
      const inValue = misreading(value);
      const inItems = (isSeq(value) ? value.items : []).flatMap((item, at) => {
        const misread = misreading(isAlias(item) ? item.resolve(tree) : item);
        return misread === null ? [] : [{ at, misread }];
      });
      if (inKey === null && inValue === null && inItems.length === 0) return;
      const path = [...above, ...pathOf([...ancestors, pair])];
      if (inKey !== null && BRANDS.some((pattern) => matches(path, pattern)))
        findings.push({ path, ...inKey, at: 'key' });
      if (inValue !== null && isText(path)) findings.push({ path, ...inValue });
      for (const { at, misread } of inItems.slice(0, MOST_ITEMS))
        if (isText([...path, at])) findings.push({ path: [...path, at], ...misread });
    },
  });
  return findings;
}

/** What is wrong with a number that is not what its text says; null for every other node. */
function misreading(node: unknown): { message: string } | null {
  if (!isScalar(node) || typeof node.value !== 'number') return null;
  const { source } = node;
  if (source === undefined || source === String(node.value)) return null;
  return { message: `is read as the number ${node.value}; write it in quotes: "${source.slice(0, 80)}"` };
}

/** Whether a number at a path is taken as a text: a mark of changes, or a value with which a rule compares a cell that is none of price and stock. */
function isText(path: Path): boolean {
  if (MARKS.some((pattern) => matches(path, pattern))) return true;
  if (!['logins', 'feeds'].includes(String(path[0])) || path[2] !== 'rules' || path[4] !== 'when') return false;
  const asked = typeof path.at(-1) === 'number' ? path.slice(0, -1) : path;
  const [kind, field, test] = asked.slice(-3);
  if (test !== 'is' && test !== 'in') return false;
  return kind === 'column' || (field !== 'price' && field !== 'stock');
}
