import { own } from '../../io/dictionary.ts';
import type { AcceptedColumn, AcceptedColumns } from '../../model.ts';
import { acceptanceInWords, HEADINGS } from '../../wording/columns/accepted-column.ts';
import type { Path } from '../read/path.ts';
import { readSettings, type ColumnSettings } from '../schema/feed-settings.ts';
import { isNameOfAnother, matchNames, placesByConfiguration } from '../schema/match-names.ts';
import { originOf, type Setting, type Source } from './setting.ts';

/** Columns that people accepted for one header of a feed; `isCurrent`: its newest file has that header. */
export type ShownAcceptance = AcceptedColumns & { header: string[]; width: number; isCurrent: boolean };

/**
 * How the columns of a feed are found now, so that the same settings find them without the ledger: the names or the position that
 * the configuration gives, and what people accepted for the header of its newest file. The rest are remarks.
 */
export function feedColumns(feed: string, accepted: ShownAcceptance[], source: Source): Setting[] {
  const columns = readSettings(source.config, feed).columns;
  const current = accepted.find(({ isCurrent }) => isCurrent);
  const spellings = current === undefined ? new Map<string, string | number>() : spell(current, columns, source, feed);
  return columns.flatMap((column) => {
    const path: Path = ['feeds', feed, 'columns', column.key];
    const spelled = spellings.get(column.key);
    const remark = (value: unknown, from: string) => ({ path, value, from, shown: false });
    const others = accepted.flatMap((one) => {
      const its = one.columns.find(({ key }) => key === column.key);
      if (its === undefined || (one === current && spelled !== undefined)) return [];
      const why = one === current ? 'gives way to the configuration' : 'for files with another header';
      return [remark(its.column ?? its.position, `${acceptanceInWords(one)}; ${why}`)];
    });
    return inUse(column, path, spelled, current, source).concat(known(column, path, spelled, source), others);
  });
}

/** What finds a column: its position, or the names that this feed gives it and the accepted one. */
function inUse(
  { key, position }: ColumnSettings,
  path: Path,
  spelled: string | number | undefined,
  current: ShownAcceptance | undefined,
  source: Source,
): Setting[] {
  const [, feed = ''] = path.map(String);
  const from = originOf(path, source) ?? '';
  if (position === HEADINGS) return [{ path: path.concat('from'), value: 'headings', from, shown: true }];
  if (position !== null) return [{ path, value: position, from, shown: true }];
  const written = [own(source.config.feeds[feed]?.columns ?? {}, key) ?? []]
    .flat()
    .filter((one) => typeof one !== 'object');
  const by = current === undefined ? '' : acceptanceInWords(current);
  if (typeof spelled === 'number') {
    const way = written.map((name) => ({
      path,
      value: name,
      from: `${from}; gives way to the position`,
      shown: false,
    }));
    return [{ path, value: spelled, from: by, shown: true }, ...way];
  }
  const names = written.map((value, at) => ({ value, from: originOf(path.concat(at), source) ?? from }));
  if (spelled !== undefined) names.push({ value: spelled, from: by });
  return names.map(({ value, from: origin }, at) => ({ path: path.concat(at), value, from: origin, shown: true }));
}

/** The names that are known without the feed's settings; where they were written, they stand under `offer.columns`. */
function known(
  { key, position }: ColumnSettings,
  path: Path,
  spelled: string | number | undefined,
  source: Source,
): Setting[] {
  const common = source.config.offer.columns[key]?.names ?? [];
  if (source.written(['offer', 'columns', key, 'names']) !== null) return [];
  const names = [...new Set([key, ...common])];
  const way = position !== null || spelled !== undefined ? '; gives way' : '';
  return [{ path, value: names, from: `default${way}`, shown: false }];
}

/** How settings find the columns that were accepted: by their names, or by position where a name would find another column, or none. */
function spell(
  { columns: accepted, header, width }: ShownAcceptance,
  columns: ColumnSettings[],
  { config }: Source,
  feed: string,
): Map<string, string | number> {
  const cells = header.length > 0 ? header : Array.from<string>({ length: width }).fill('');
  const decided = placesByConfiguration(columns, { header, width });
  const isDecided = ({ key, position }: AcceptedColumn) =>
    decided.some((one) => one.key === key || one.position === position);
  const used = accepted.filter((one) => columns.some(({ key }) => key === one.key) && !isDecided(one));
  const spellings = new Map(used.map((one) => [one.key, one.column ?? one.position]));
  const said = own(config.feeds, feed)?.dialect.header ?? 'auto';
  if (said !== 'auto' && said !== false) return spellings;
  for (;;) {
    const found = matchNames(
      columns.map((column) => withSpelling(column, spellings.get(column.key))),
      cells,
    );
    const wrong = used.find(({ key, position }) => {
      const [index] = found[columns.findIndex((column) => column.key === key)] ?? [];
      return (
        typeof spellings.get(key) === 'string' &&
        (index !== position - 1 || isNameOfAnother(columns, key, String(spellings.get(key))))
      );
    });
    if (wrong === undefined) return spellings;
    spellings.set(wrong.key, wrong.position);
  }
}

function withSpelling(column: ColumnSettings, spelled: string | number | undefined): ColumnSettings {
  if (typeof spelled === 'number') return { ...column, position: spelled };
  return spelled === undefined ? column : { ...column, names: [...column.names, spelled] };
}
