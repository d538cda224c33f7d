import { own } from '../../io/dictionary.ts';
import { defaultNames } from './default-columns.ts';
import type { AcceptedColumns, RowRule, RulePlan } from '../../model.ts';
import { HEADINGS } from '../../wording/columns/accepted-column.ts';
import { createSpeller, type SpellingTable } from '../../parts/spellings.ts';
import type { Split } from '../../parts/split-cell.ts';
import type { Strip } from '../../parts/strip-number.ts';
import type { Config, FeedConfig, Guard, Limits, Repair, SignalSettings, TakenNumbers } from './schema.ts';

/** One column of the offer file and how this feed's files name it. */
export type ColumnSettings = {
  key: string;
  required: boolean;
  /** The cell holds several values joined by the tag separator. */
  list: boolean;
  /** Accepted header spellings; case and space are folded when they are compared. */
  names: string[];
  /** Of these, the spellings that the configuration adds: they are never doubted. */
  configured: string[];
  /** Position from 1 in files without a header, or null when the header decides; 0: the headings above the rows have it. */
  position: number | null;
  /** Fills a column that the file lacks; never an empty cell. */
  fallback: string | null;
};

/** Where a file's header is said to be; a number is its line, from 1. */
export type HeaderSetting = 'auto' | boolean | number;

/** What opens the encrypted files of a feed, revealed: it crosses to the thread that reads, and is put into no text. */
export type UnpackKeys = { password: string | null; pgp: PgpKeys | null };

/** A private key and its passphrase, revealed, and the file of the public keys of which one has to have signed. */
export type PgpKeys = { key: string | null; passphrase: string | null; signedBy: string | null };

/** The column in which rows of changes are marked, by name or position, and what the marks mean, folded; `set` null: all others set their part. */
export type ChangeMarks = { column: string; set: string[] | null; removed: string[] };

/** Everything that reading one feed's file depends on; plain data, so that it can be sent to a worker thread. */
export type ReadSettings = {
  columns: ColumnSettings[];
  /** Columns that people accepted for headers of this feed; the settings above win. */
  accepted: AcceptedColumns[];
  /** What stands between the tags of the uploaded file. */
  tagSeparator: string;
  /** What stands between the tags of the supplier's file; null: what is found there, else `tagSeparator`. */
  tagMark: string | null;
  maxTags: number;
  /** What is done with several numbers in one cell, and what parts them; null: nobody has said. */
  numbers: { separators: string[]; take: TakenNumbers } | null;
  /** Where nobody has said: the marks that do not belong to the numbers of the column, and what these look like. */
  watched?: { marks: string[]; shapes: string[] | null };
  /** Two values that are taken out of one cell, where the column of one of them is missing, and the brands that were found there. */
  split: Split | null;
  splitBrands?: string[];
  /** `auto` or what the feed's `dialect` setting says. */
  charset: string;
  delimiter: string;
  header: HeaderSetting;
  onBadRow: 'drop' | 'reject-file';
  onTooManyTags: 'reject' | 'truncate';
  /** What becomes of a row whose number a spreadsheet has damaged. */
  onDamagedNumber: 'drop' | 'keep';
  /** Values that are what they are, although they look like nothing or damaged. */
  keep: string[];
  /** Which brands other spellings stand for; null: none are known. */
  spellings: SpellingTable | null;
  /** What is taken off the beginning and the end of numbers; null: nothing. */
  strip: Strip | null;
  /** What is left out or changed, in this order. */
  rules: RowRule[];
  /** Where the columns of the rules are in this file, see `planRules`. */
  rulePlan?: RulePlan;
  /** How rows of changes are marked; null: all set their parts, but for those that a rule leaves out. */
  change: ChangeMarks | null;
  /** Where a delivery of changes is read, whose rows set their parts or take them away: the column of the marks, from 0. */
  changes?: { place: number | null; marks: ChangeMarks | null };
  /** Damage that is mended in cells; what is not listed is only named. */
  repair: Repair[];
  /** A glob that chooses among the entries of a zip, or null. */
  entry: string | null;
  /** Which entries of a zip are read as one list: all, or those that fit globs; null: one. */
  entries: 'all' | string[] | null;
  /** How the files of a delivery are joined; null: they are one list. */
  join: JoinSettings | null;
  /** What opens encrypted files; null: nothing is set. */
  unpack: UnpackKeys | null;
  /** Which sheet of a workbook: its name, a pattern, its number from 1, or `all`; null: the one that holds offers. */
  sheet: string | number | null;
  /** Where the records of XML or JSON are: a path of elements, a JSON pointer; null: to be found. */
  records: string | null;
  /** Columns that are seen and not uploaded; null: none. */
  signals: SignalSettings | null;
  limits: Limits;
};

/** The service refuses a position with more tags (docs/service-interface.md, Limits). */
export const MAX_TAGS = 20;

/** A file of a delivery that is joined, or to which others are. */
export type PartnerSettings = {
  /** What the configuration calls it. */
  role: string;
  /** Fits its name, or where it is in an archive (`isEntry`). */
  pattern: string;
  isEntry: boolean;
  /** What its columns that are compared are called, or a position from 1. */
  brand: string[] | number;
  oem: string[] | number;
  /** The columns that it brings, by their names or positions from 1; null: all. */
  columns: (string | number)[] | null;
  dialect: { charset: string; delimiter: string; header: HeaderSetting };
};

/** Which columns are compared, and the files: the list first. */
export type JoinSettings = { on: ('brand' | 'oem')[]; files: PartnerSettings[] };

/** What of a configuration matters when files are read. */
export type ReadableConfig = Pick<Config, 'feeds' | 'offer' | 'limits' | 'spellings' | 'rowRules'>;

/**
 * The settings for reading a feed's file: the common `offer` settings with the feed's own laid over them, and what was
 * accepted for it.
 */
export function readSettings(config: ReadableConfig, feed?: string, accepted: AcceptedColumns[] = []): ReadSettings {
  const its = feed === undefined ? undefined : own(config.feeds, feed);
  const spellings = spellingsOf(config, feed);
  const spell = createSpeller(spellings);
  const columns = Object.entries(config.offer.columns).map(([key, column]) => {
    const spelled = own(its?.columns ?? {}, key);
    const fallback = own(its?.defaults ?? {}, key)?.trim();
    const extra = typeof spelled === 'string' ? [spelled] : Array.isArray(spelled) ? spelled : [];
    return {
      key,
      required: column.required,
      list: column.list,
      names: [...new Set([key, ...column.names, ...extra])],
      configured: [...column.names.filter((name) => !defaultNames(key).includes(name)), ...extra],
      position: positionIn(spelled),
      fallback: fallback === undefined || key !== 'brand' ? (fallback ?? null) : spell(fallback),
    };
  });
  return {
    columns,
    accepted,
    tagSeparator: config.offer.tagSeparator,
    tagMark: its?.tags.separator ?? null,
    maxTags: MAX_TAGS,
    numbers: numbersOf(its?.numbers),
    split: its?.numbers?.split ?? null,
    charset: its?.dialect.charset ?? 'auto',
    delimiter: its?.dialect.delimiter ?? 'auto',
    header: its?.dialect.header ?? 'auto',
    onBadRow: its?.onBadRow ?? 'drop',
    onTooManyTags: its?.onTooManyTags ?? 'reject',
    onDamagedNumber: its?.onDamagedNumber ?? 'drop',
    keep: its?.values.keep ?? [],
    spellings,
    strip: stripOf(its?.numbers?.strip),
    rules: ((feed === undefined ? undefined : own(config.rowRules ?? {}, feed)) ?? []).map((rule) =>
      spelledRule(rule, spell),
    ),
    change: changeMarks(its?.change),
    repair: its?.repair ?? [],
    entry: its?.entry ?? null,
    entries: entriesOf(its?.entries),
    join: joinOf(its),
    unpack: unpackKeysOf(its?.unpack),
    sheet: its?.sheet ?? null,
    records: its?.records ?? null,
    signals: its?.signals ?? null,
    limits: config.limits,
  };
}

function changeMarks({ column, added, changed, removed }: Partial<NonNullable<FeedConfig['change']>> = {}) {
  if (column === undefined || removed === undefined) return null;
  const set = added === undefined && changed === undefined ? null : [...(added ?? []), ...(changed ?? [])];
  return { column: String(column), set: set?.map(foldMark) ?? null, removed: removed.map(foldMark) };
}

/** A mark as marks are compared. */
export function foldMark(mark: string): string {
  return mark.trim().toLowerCase();
}

/** Entries that have names are those that fit their patterns. */
function entriesOf(entries: FeedConfig['entries']): ReadSettings['entries'] {
  if (entries === undefined) return null;
  return entries === 'all' || Array.isArray(entries) ? entries : Object.values(entries);
}

/** The files that the settings of a feed name, in their order: of its source, or of an archive. */
export function namedFiles({ source, entries }: Pick<FeedConfig, 'source' | 'entries'>): NamedFile[] {
  const files = 'files' in source ? Object.entries(source.files ?? {}) : [];
  const inArchive = typeof entries !== 'object' || Array.isArray(entries) ? [] : Object.entries(entries);
  return [
    ...files.map(([role, { pattern }]) => ({ role, pattern, isEntry: false })),
    ...inArchive.map(([role, pattern]) => ({ role, pattern, isEntry: true })),
  ];
}

type NamedFile = Pick<PartnerSettings, 'role' | 'pattern' | 'isEntry'>;

function joinOf(its: FeedConfig | undefined): JoinSettings | null {
  if (its?.join === undefined) return null;
  const { on, partners } = its.join;
  const files = namedFiles(its).map((file): PartnerSettings => {
    const { brand, oem, bring: columns = null, dialect } = own(partners, file.role) ?? {};
    const usual = { charset: 'auto', delimiter: 'auto', header: 'auto' } as const;
    return Object.assign(file, { brand: namesIn(brand), oem: namesIn(oem), columns, dialect: dialect ?? usual });
  });
  return { on, files };
}

function namesIn(column: string | string[] | number | undefined): string[] | number {
  return column === undefined ? [] : typeof column === 'string' ? [column] : column;
}

function unpackKeysOf(unpack: FeedConfig['unpack']): UnpackKeys | null {
  if (unpack === undefined) return null;
  const { password, pgp } = unpack;
  const { key, passphrase, signedBy } = pgp ?? {};
  return {
    password: password?.reveal() ?? null,
    pgp:
      pgp === undefined
        ? null
        : { key: key?.reveal() ?? null, passphrase: passphrase?.reveal() ?? null, signedBy: signedBy ?? null },
  };
}

/** A rule that sets the brand for which the written one stands. */
function spelledRule(rule: RowRule, spell: (brand: string) => string): RowRule {
  if (rule.does !== 'change' || rule.set.brand === undefined) return rule;
  return { ...rule, set: { ...rule.set, brand: spell(rule.set.brand) } };
}

/** The spellings of brands for a feed: its own over the common ones. */
export function spellingsOf({ spellings }: Pick<Config, 'spellings'>, feed?: string): SpellingTable | null {
  if (spellings === undefined) return null;
  return (feed === undefined ? undefined : own(spellings.feeds, feed)) ?? spellings.common;
}

function positionIn(spelled: FeedConfig['columns'][string] | undefined): number | null {
  if (typeof spelled === 'number') return spelled;
  return typeof spelled === 'object' && !Array.isArray(spelled) ? HEADINGS : null;
}

/** What is taken off the numbers of a feed. */
export function stripIn({ feeds }: Pick<Config, 'feeds'>, feed: string): Strip | null {
  return stripOf(own(feeds, feed)?.numbers?.strip);
}

function stripOf({ prefix = [], suffix = [] }: { prefix?: string[] | undefined; suffix?: string[] | undefined } = {}) {
  return prefix.length + suffix.length === 0 ? null : { prefixes: prefix, suffixes: suffix };
}

function numbersOf({ separator = [], take }: NonNullable<FeedConfig['numbers']> = {}): ReadSettings['numbers'] {
  if (take === undefined) return null;
  return { separators: typeof separator === 'string' ? [separator] : separator, take };
}

/** A feed's guards: its own over its login's. */
export function feedGuard(config: Config, feed: string): Guard {
  const its = own(config.feeds, feed);
  return { ...own(config.logins, its?.login ?? '')?.guard, ...its?.guard };
}
