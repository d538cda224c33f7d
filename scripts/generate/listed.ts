import { readFileSync } from 'node:fs';
import { fromReference } from './links.ts';

/** An item of a list that begins with what it is about, in backquotes. */
export type Listed = { names: string[]; note: string; text: string };

const ITEM = /^- ((?:`[^`]+`)(?:, `[^`]+`)*)(?: \(((?:`[^`]*`|[^`)])*)\))?: (.*)$/;

/** The items of the lists of a page of docs: `` - `NAME`, `NAME` (note): text ``, each in one line. */
export function listedOn(page: string): Listed[] {
  const text = readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8');
  return (page.startsWith('reference/') ? fromReference(text) : text)
    .replaceAll(/\n +(?=\S)/g, ' ')
    .split('\n')
    .flatMap((line) => {
      const [, names, note = '', said] = ITEM.exec(line) ?? [];
      return names === undefined ? [] : [{ names: names.slice(1, -1).split('`, `'), note, text: said! }];
    });
}

/** What a note says a setting is by default: `—` where it says nothing. */
export function defaultIn(note: string): string {
  return note === '' ? '—' : note.replace(/^default: /, '');
}
