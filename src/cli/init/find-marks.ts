import { mkdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { READING_DEFAULTS } from '../../config/schema/defaults.ts';
import { foldMark, readSettings } from '../../config/schema/feed-settings.ts';
import { temporaryFolder } from '../../io/temporary-folder.ts';
import { withAllRows } from '../../jobs/read/original-rows.ts';
import { findSignals } from '../../signals/find-columns.ts';
import { parseStock } from '../../values/stocks.ts';
import type { FoundMarks, FoundStock } from './group-files.ts';
import type { FeedProposal } from './propose-feed.ts';

const words = (text: string) => text.split(' ').map(foldMark);
const MEANINGS = {
  added: words('n new neu a add added i ins insert inserted + новый добавлен nowy dodany nový nouveau ajouté'),
  changed: words(
    'u upd update updated c change changed m mod modified * ~ geändert изменен изменён zmieniony změněn modifié',
  ),
  removed: words(
    'd del delete deleted r removed l - gelöscht löschen entfallen удален удалён usunięty smazán supprimé',
  ),
};
type Meaning = keyof typeof MEANINGS;

/** Says yes in a column whose name says that parts are gone; all else there is no mark. */
const GONE = ['1', 'true', 'yes', 'y', 'x', 'ja', 'j', 'wahr', 'да', 'tak', 'si', 'oui', 'ano'];
const NOT_GONE = ['0', 'false', 'no', 'n', '', 'nein', 'falsch', 'нет', 'nie', 'non', 'ne'];
/** What is written of a part that is gone, where others have this. */
const OPPOSITES = new Map(
  '0 1,false true,no yes,n y,nein ja,falsch wahr,нет да,nie tak,non oui,ne ano'
    .split(',')
    .map((pair) => pair.split(' ') as [string, string]),
);
const GONE_NAME =
  /^(?:is[_ ]?)?(?:deleted?|removed?|gone|discontinued|gelöscht|geloescht|entfallen|löschkennzeichen|удал[её]н[оа]?)$/iu;
const MARKS_NAME =
  /^(?:status|action|aktion|change(?: ?type)?|änderung(?:sart)?|kennzeichen|kz|op(?:eration)?|flag|type|typ|статус|действие|akcja|stav)$/iu;

/** What suppliers that mark new and changed rows write into those whose part is gone, where none of these is in the file. */
const USUALLY_REMOVED = 'D';
const MOST_MARKS = 8;

/**
 * Looks in the newest changes of a feed for the column that says what each row does; null where there is none. The whole file is read.
 */
export async function findMarks(changes: FeedProposal): Promise<FoundMarks | null> {
  const { detection } = changes;
  const stock = stockColumn(changes);
  const isMarks = (name: string) => MARKS_NAME.test(name) || GONE_NAME.test(name);
  const taken = new Set(detection.mapping.map(({ position }) => position));
  // A plus and a minus may say what is in stock.
  if (stock !== null && !isMarks(stock.column ?? '')) taken.add(stock.position);
  const free = Array.from({ length: detection.width }, (_, at) => at + 1).filter((position) => !taken.has(position));
  const found = (await marksIn(changes, free)).map(({ position, marks }) => {
    const name = detection.columns[position - 1]?.trim() ?? '';
    const isUnique = name !== '' && detection.columns.filter((one) => one.trim() === name).length === 1;
    return { column: isUnique ? name : position, name, marks };
  });
  for (const one of found) {
    const known = meant(one);
    if (known !== null) return known;
  }
  const open = found.find(({ name }) => isMarks(name));
  return open === undefined
    ? null
    : { column: open.column, added: [], changed: [], removed: [], isGuess: false, open: open.marks };
}

/** What the marks of a column mean; null where not all of them are known. */
function meant({ column, name, marks }: { column: string | number; name: string; marks: string[] }): FoundMarks | null {
  if (GONE_NAME.test(name)) {
    const removed = marks.filter((mark) => GONE.includes(foldMark(mark)));
    const others = marks.filter((mark) => !removed.includes(mark));
    if (others.some((mark) => !NOT_GONE.includes(foldMark(mark)))) return null;
    const opposites = others.flatMap((mark) => OPPOSITES.get(foldMark(mark)) ?? []);
    if (removed.length === 0 && opposites.length === 0) return null;
    const isGuess = removed.length === 0;
    return { column, added: [], changed: [], removed: isGuess ? opposites : removed, isGuess, open: [] };
  }
  const written = marks.filter((mark) => mark !== '');
  const of = (meaning: Meaning) => written.filter((mark) => MEANINGS[meaning].includes(foldMark(mark)));
  const [added, changed, found] = [of('added'), of('changed'), of('removed')];
  if (written.length === 0 || added.length + changed.length + found.length < written.length) return null;
  // One mark on every row is more likely a code of something else.
  if (marks.length === 1 && !MARKS_NAME.test(name)) return null;
  const isGuess = found.length === 0;
  const removed = isGuess ? [USUALLY_REMOVED] : found;
  // Where some rows have no mark, or not all kinds were seen, only those that remove their part are told from the others: the next ones may have more.
  const isEach = written.length === marks.length && added.length > 0 && changed.length > 0;
  return { column, added: isEach ? added : [], changed: isEach ? changed : [], removed, isGuess, open: [] };
}

/** The columns that have only a few values, all of them short, and these. */
async function marksIn(changes: FeedProposal, positions: number[]): Promise<{ position: number; marks: string[] }[]> {
  const seen = new Map(positions.map((position) => [position, new Set<string>()]));
  await seeRows(changes, (cells) => {
    for (const [position, marks] of seen) {
      marks.add((cells[position - 1] ?? '').trim());
      if (marks.size > MOST_MARKS) seen.delete(position);
    }
    return seen.size > 0;
  });
  return [...seen].map(([position, marks]) => ({ position, marks: [...marks] }));
}

/**
 * Looks in the newest changes of a feed, and in its newest full list, for rows without stock; null where the changes have no column of stock. Both
 * are read up to such a row.
 */
export async function findStock(changes: FeedProposal, full: FeedProposal): Promise<FoundStock | null> {
  const [own, its] = [stockColumn(changes), stockColumn(full)];
  if (own === null) return null;
  return {
    column: own.column ?? own.position,
    inChanges: await hasSoldOut(changes, own.position),
    inFull: its === null ? null : await hasSoldOut(full, its.position),
  };
}

/** The column that a rule on stock asks for. */
function stockColumn({ detection: { columns, width, mapping } }: FeedProposal) {
  const used = mapping.filter(({ sure }) => sure).map(({ position }) => position - 1);
  return findSignals({ price: 'off', stock: 'auto' }, { header: columns, width, used }).stock;
}

async function hasSoldOut(feed: FeedProposal, position: number): Promise<boolean> {
  let found = false;
  await seeRows(feed, (cells) => {
    const stock = parseStock((cells[position - 1] ?? '').trim());
    found = stock.kind === 'known' && stock.value === 0;
    return !found;
  });
  return found;
}

/** Shows the rows of a feed's newest file one after the other, until `see` has seen enough. */
async function seeRows({ files, inner, detection }: FeedProposal, see: (cells: string[]) => boolean): Promise<void> {
  const [path] = files as [string];
  const { size } = await stat(path);
  if (size === 0) return;
  const folder = await temporaryFolder('init');
  const input = { path, name: basename(path), entry: inner, detection, settings: readSettings(READING_DEFAULTS) };
  try {
    await mkdir(join(folder, 'rows'));
    await withAllRows({ ...input, folder: join(folder, 'rows') }, async (batches) => {
      for await (const batch of batches) {
        for (const { cells, line, gap } of batch) {
          if (gap !== undefined || (detection.header && line <= detection.headerLine)) continue;
          if (!see(cells)) return;
        }
      }
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
