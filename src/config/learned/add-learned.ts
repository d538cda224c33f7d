import { readFile } from 'node:fs/promises';
import { isMap, isScalar, isSeq, parseDocument, visit, type Document } from 'yaml';
import { OfferlineError, systemCode } from '../../errors.ts';
import type { Learned } from '../schema/schema.ts';
import { learnedFile } from './read-learned.ts';

const HEAD = ` What was taken of the proposals of \`offerline propose\`. The configuration takes it in: change it, or remove what
 should not be any more.`;

/** What the file of learned settings beside a configuration would say with more of one feed, see `addLearned`. */
export async function learnedWith(
  configFile: string,
  feed: string,
  more: Learned['feeds'][string],
  remark: string,
): Promise<string> {
  return addLearned(await textOf(learnedFile(configFile)), feed, more, remark);
}

async function textOf(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/**
 * The text of a file of learned settings with more of one feed, and a remark above it; comments and order stay as they are. Pure.
 * @internal exported for tests
 */
export function addLearned(text: string | null, feed: string, more: Learned['feeds'][string], remark: string): string {
  const document: Document = parseDocument(text ?? '');
  visit(document, {
    Alias: (_, { source }) => {
      throw new OfferlineError(
        'conflict',
        `The proposal cannot be added to learned.yaml: with the alias *${source} in it, other feeds might get it as well. Write out what the alias stands for.`,
      );
    },
  });
  if (text === null || text.trim() === '') document.commentBefore = HEAD;
  if (!isMap(document.contents)) document.contents = document.createNode({});
  const { brands, numbers, rules = [] } = more;
  for (const [brand, spellings] of Object.entries(brands?.aliases ?? {}))
    addItems(document, ['feeds', feed, 'brands', 'aliases', brand], spellings, remark);
  for (const [what, values] of Object.entries(numbers?.strip ?? {}))
    addItems(document, ['feeds', feed, 'numbers', 'strip', what], values ?? [], remark);
  addItems(document, ['feeds', feed, 'rules'], rules, remark);
  return document.toString({ lineWidth: 0 });
}

function addItems(document: Document, path: string[], items: readonly unknown[], remark: string): void {
  // Keys of maps may have been left without a value.
  for (const length of path.keys()) {
    const empty = document.getIn(path.slice(0, length), true);
    if (!isScalar(empty)) continue;
    const map = document.createNode({});
    map.commentBefore = empty.comment ?? null;
    document.setIn(path.slice(0, length), map);
  }
  for (const item of items) {
    const node = document.createNode(item);
    node.commentBefore = ` ${remark}`;
    const list = document.getIn(path);
    if (isSeq(list)) list.items.push(node);
    else document.setIn(path, document.createNode([node]));
  }
}
