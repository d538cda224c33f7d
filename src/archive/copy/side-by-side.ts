import type { SourceFile } from './copy-source.ts';
import type { TargetFile } from './copy-target.ts';

/** A file of the source, and what the target has under its hash. */
export type Beside = { file: SourceFile; there: TargetFile[] };

/**
 * The files of a source beside what a target has of them. Both come in the order of their hashes, so that neither is kept in memory; of a store that
 * lists in another order some seem to be missing, which costs requests and nothing else.
 */
export async function* sideBySide(
  files: AsyncIterable<SourceFile>,
  objects: AsyncIterable<TargetFile>,
): AsyncGenerator<Beside> {
  const left = objects[Symbol.asyncIterator]();
  try {
    let next = await left.next();
    for await (const file of files) {
      const there: TargetFile[] = [];
      while (next.done !== true && next.value.sha256 <= file.sha256) {
        if (next.value.sha256 === file.sha256) there.push(next.value);
        next = await left.next();
      }
      yield { file, there };
    }
  } finally {
    await left.return?.();
  }
}

/** So many files are looked up in the ledger with one question. */
const PAGE = 500;

/** The same, a page at a time. */
export async function* pagesOf<T>(given: AsyncIterable<T>): AsyncGenerator<T[]> {
  let page: T[] = [];
  for await (const one of given) {
    page.push(one);
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}
