import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { TableInput } from '../table-file.ts';
import type { Package } from '../package/package.ts';
import { RichText } from './cells/rich-text.ts';
import { makeStringStore, type StringStore } from './string-store.ts';
import { XmlError } from '../package/xml/xml-error.ts';
import { XmlScanner, type XmlHandler } from '../package/xml/scanner.ts';

/** What the table of strings is made of: a string, its text, and how it is read aloud. */
const CODES = { sst: 1, si: 2, t: 3, rPh: 4 };

/** Reads the table of strings that the cells of all sheets refer to. Throws `file-rejected`. */
export async function readSharedStrings(input: TableInput, parts: Package, part: string): Promise<StringStore> {
  const store = makeStringStore(join(input.folder, `strings-${randomUUID()}`));
  const scanner = new XmlScanner(CODES, stringsHandler(store, input.limits.cellLength));
  try {
    for await (const text of parts.read(part, input.limits.fileSize)) {
      scanner.write(text);
      scanner.scan();
    }
    scanner.end();
    return store;
  } catch (error) {
    await store.close();
    throw parts.explain(part, error);
  }
}

function stringsHandler(store: StringStore, cellLength: number): XmlHandler {
  const text = new RichText(cellLength);
  let isTable = false;
  return {
    open: (code, tag) => {
      if (!isTable) {
        if (code !== CODES.sst) throw new XmlError('there is no table of strings');
        isTable = true;
      } else if (code === CODES.si) text.clear();
      else if (code === CODES.t) text.openRun(tag.attribute('space') === 'preserve');
      else if (code === CODES.rPh) text.phonetic(true);
    },
    close: (code) => {
      if (code === CODES.t) text.closeRun();
      else if (code === CODES.si) store.add(text.take());
      else if (code === CODES.rPh) text.phonetic(false);
      return false;
    },
    wantsText: () => text.isOpen,
    text: (piece) => text.add(piece),
  };
}
