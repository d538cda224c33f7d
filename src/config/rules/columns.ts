import { HEADINGS } from '../../wording/columns/accepted-column.ts';
import { type ColumnSettings, readSettings } from '../schema/feed-settings.ts';
import { valueAt } from '../read/path.ts';
import type { Finding } from '../read/problem.ts';
import type { Config, FeedConfig } from '../schema/schema.ts';

/** The columns that name a part: the service refuses files without a brand, and parts are distinguished by both. */
const PART_COLUMNS = ['brand', 'oem'];

/** Brand and article number stay, under these names, and stay required. */
export function partColumnsStay(config: Config): Finding[] {
  return PART_COLUMNS.flatMap((key) => {
    const column = config.offer.columns[key];
    if (column === undefined) {
      return [{ path: ['offer', 'columns', key], message: `${key} cannot be removed; it identifies parts` }];
    }
    if (column.required) return [];
    const message = `${key} cannot be optional, because it identifies parts; leave "required: true"`;
    return [{ path: ['offer', 'columns', key, 'required'], message }];
  });
}

/** A header spelling must not stand for two columns: not among the common ones, nor with those of a feed. */
export function spellingsDiffer(config: Config, written: unknown): Finding[] {
  const common = shared(readSettings(config).columns);
  const known = new Set(common.map(({ spelling }) => fold(spelling)));
  const ofFeeds = Object.keys(config.feeds).flatMap((feed) =>
    shared(readSettings(config, feed).columns)
      .filter(({ spelling }) => !known.has(fold(spelling)))
      .map(({ spelling, first, second }) => {
        const own = config.feeds[feed]?.columns[second] === undefined ? first : second;
        const other = own === first ? second : first;
        return { path: ['feeds', feed, 'columns', own], message: sharedMessage(spelling, other) };
      }),
  );
  return [
    ...common.map(({ spelling, first, second }) => {
      const own = valueAt(written, ['offer', 'columns', second, 'names']) === undefined ? first : second;
      return { path: ['offer', 'columns', own], message: sharedMessage(spelling, own === first ? second : first) };
    }),
    ...ofFeeds,
  ];
}

function sharedMessage(spelling: string, other: string): string {
  return `"${spelling}" is also a header spelling of the column ${other}; remove it from one of them`;
}

type Shared = { spelling: string; first: string; second: string };

function shared(columns: ColumnSettings[]): Shared[] {
  const owners = new Map<string, string>();
  return columns.flatMap(({ key, names }) =>
    names.flatMap((spelling) => {
      const owner = owners.get(fold(spelling)) ?? key;
      owners.set(fold(spelling), owner);
      return owner === key ? [] : [{ spelling, first: owner, second: key }];
    }),
  );
}

function fold(spelling: string): string {
  return spelling.normalize('NFKC').replaceAll(/\s+/gu, '').toLowerCase();
}

/** Only brands stand in headings. */
export function headingsHaveBrands(config: Config): Finding[] {
  return Object.keys(config.feeds).flatMap((name) =>
    readSettings(config, name)
      .columns.filter(({ key, position }) => position === HEADINGS && key !== 'brand')
      .map(({ key }) => ({
        path: ['feeds', name, 'columns', key],
        message: `only the brand can be taken from headings; name the column of ${key}`,
      })),
  );
}

/** Positions are for files without a header: not with one, not twice the same, and then for every required column. */
export function positionsFitTheHeader(config: Config): Finding[] {
  return Object.entries(config.feeds).flatMap(([name, feed]) => {
    const columns = readSettings(config, name).columns;
    const positioned = columns.filter(({ position }) => position !== null && position !== HEADINGS);
    const findings = positioned.flatMap((column) => positionFindings(name, feed, column, positioned));
    return feed.dialect.header === false ? findings.concat(unplaced(name, columns)) : findings;
  });
}

function positionFindings(name: string, feed: FeedConfig, column: ColumnSettings, all: ColumnSettings[]): Finding[] {
  const path = ['feeds', name, 'columns', column.key];
  const twin = all.find((other) => other.position === column.position);
  const findings: Finding[] = [];
  if (feed.dialect.header !== 'auto' && feed.dialect.header !== false) {
    const message = `a position (${column.position}) is for files without a header; name the header cell, or set dialect.header to false`;
    findings.push({ path, message });
  }
  if (twin !== undefined && twin.key !== column.key) {
    findings.push({ path, message: `position ${column.position} is already taken by the column ${twin.key}` });
  }
  return findings;
}

function unplaced(name: string, columns: ColumnSettings[]): Finding[] {
  return columns
    .filter(({ required, position, fallback }) => required && position === null && fallback === null)
    .map(({ key }) => ({
      path: ['feeds', name, 'columns', key],
      message: `the file has no header (dialect.header: false), so the required column ${key} needs a position such as "${key}: 1", or a value under defaults`,
    }));
}
