import { basename, dirname, isAbsolute, relative, sep } from 'node:path';
import { stringify } from 'yaml';
import { READING_DEFAULTS } from '../../config/schema/defaults.ts';
import { dictionary } from '../../io/dictionary.ts';
import type { Detection, JoinedFile } from '../../model.ts';
import { printable } from '../../wording/printable.ts';
import { columnInWords, HEADINGS } from '../../wording/columns/accepted-column.ts';
import { mappingText } from '../../wording/columns/unsure-columns.ts';
import { writtenAs } from '../../wording/files/dialect.ts';
import { cellsSettings, unsureCellsText } from '../../wording/columns/unsure-cells.ts';
import { readingName } from '../../wording/files/side-by-side.ts';
import { counted, grouped } from '../../wording/words.ts';
import { deliverySettings, goneBy, isChanges, SOLD_OUT } from './propose-changes.ts';
import { joinSettings } from './propose-join.ts';
import { notesOf } from './notes.ts';
import { openColumns, settingFor, type FeedProposal } from './propose-feed.ts';
import { hasOpenMarks, takenFrom } from './several-files.ts';

/** What stands between tags in the uploaded file. */
const SEPARATOR = READING_DEFAULTS.offer.tagSeparator;

/** The login that every proposed feed belongs to: one login has one dataset, which all its feeds share. */
export const LOGIN = 'main';

/** The text of a configuration for the proposed feeds, with comments that say what was found and what is left to decide. */
export function configText(feeds: FeedProposal[], file: string, { timezone }: { timezone: string }): string {
  return [
    '# Written by `offerline init`. After each change run `offerline config check`; `offerline config schema` prints the JSON',
    '# Schema that editors complete from.',
    '',
    '# Without this setting the built-in sandbox stands in for the service, and every answer says so.',
    '# service: { baseUrl: https://service.example }',
    '',
    'logins:',
    '  # A login has one dataset at the service. All feeds of the login are merged into it.',
    `  ${LOGIN}:`,
    '    guard: { maxRowDrop: 50%, maxRejected: 20% }',
    '    # auth: { type: basic, user: NAME, password: "${PASSWORD}" }',
    '',
    '# Of parts that several feeds have, the one of the feed with the lower priority is uploaded (100 where none is written).',
    'feeds:',
    ...feeds.flatMap((feed) => feedLines(feed, file, timezone)),
    '',
    '# Who is told when something is wrong. Without SMTP_URL mails are written to the outbox folder.',
    '# managers:',
    '#   - { email: brakes@example.com, when: [problem, recovered] }',
    '',
  ].join('\n');
}

function feedLines(feed: FeedProposal, file: string, timezone: string): string[] {
  const { name, folder, columns, dialect, entries, entry } = feed;
  const source = { type: 'directory', path: pathFrom(dirname(file), folder), ...takenFrom(feed) };
  return [
    ...comment(foundLine(feed)),
    ...togetherLines(feed),
    `  ${stringify(name).trim()}:`,
    `    login: ${LOGIN}`,
    `    source: ${flow(source)}`,
    ...(entries === null ? [] : [`    entries: ${flow(entries)}`]),
    ...(entry === null ? [] : [`    entry: ${flow(entry)}`]),
    ...settingLines({ ...joinSettings(feed), ...(hasOpenMarks(feed) ? {} : deliverySettings(feed)) }),
    ...openMarks(feed, source),
    ...(goneBy(feed) === 'perhaps stock' ? [`    # rules: ${flow([SOLD_OUT])}`] : []),
    `    # schedule: ${flow({ cron: '0 6 * * *', timezone })}`,
    ...(Object.keys(dialect).length > 0 ? [`    dialect: ${flow(dialect)}`] : openDialect(feed)),
    ...openTable(feed),
    ...knownColumns(feed),
    ...(Object.keys(columns).length > 0 ? [`    columns: ${flow(listed(columns, feed.detection))}`] : []),
    ...(feed.cells?.kind === 'brand-number' ? [] : openMappings(feed)),
    ...foundMark(feed),
    ...openCells(feed),
    '',
  ];
}

/** Which files are one delivery, which were not looked at, and what else to know. */
function togetherLines(feed: FeedProposal): string[] {
  return [...foundTogether(feed), ...notesOf(feed)].flatMap(comment);
}

function foundTogether(feed: FeedProposal): string[] {
  const { files, several, entries, joined, delivery } = feed;
  if (joined !== undefined) return [...joined.map(joinedLine), ...staysLine(feed)];
  if (delivery !== undefined && !hasOpenMarks(feed)) {
    const how = 'Changes are put upon the newest full list, in their order (docs/changes.md).';
    return [`${counted(files.length, 'file')}: full lists and what changed in between. ${how}`];
  }
  const parts = several?.parts ?? files.slice(0, 1);
  const older = files.filter((file) => !parts.includes(file) && delivery?.changed.includes(file) !== true).length;
  const names = parts.map((file) => basename(file)).join(', ');
  return [
    ...(several === undefined
      ? []
      : [`One list in ${counted(parts.length, 'file')}: ${names}. Lists of their own need a feed each.`]),
    ...(entries === 'all' ? [`The files in the archive are read as one list. ${MISSED}`] : []),
    ...(older === 0 || isChanges(feed) ? [] : [olderLine(feed, older)]),
  ];
}

/** With `all` nobody knows which files there should be. */
const MISSED =
  'One that is missing is noticed by guard.maxBrandDrop, or with a pattern for each in place of all (docs/formats.md).';

function staysLine({ name, several }: FeedProposal): string[] {
  if (several === undefined || !('names' in several)) return [];
  const { names, stays } = several;
  if (stays !== undefined) return [`${stays} stays: what comes without a new one is joined to the last one.`];
  // Files of one date come together.
  if (Object.values(names).every((pattern) => pattern.includes('{'))) return [];
  return [
    `A delivery needs a new file of each pattern. If others come without a new ${name}, add stays: true behind its pattern.`,
  ];
}

/** What becomes of the files that were not looked at. */
function olderLine({ pattern, several }: FeedProposal, older: number): string {
  if (several === undefined || 'names' in several || pattern.includes('{')) {
    return `${counted(older, 'older file')} of this name left aside.`;
  }
  const why =
    'Patterns know dates with a year of four digits only, so all files that lie there are taken as one delivery';
  return `${why}: move the ${counted(older, 'older one')} away first.`;
}

/** Of how many parts a joined file says something. */
function joinedLine({ role, file, rows, joined, withoutPartner, columns }: JoinedFile): string {
  const of = `${grouped(joined)} of ${counted(joined + withoutPartner, 'row')} of the list have a row in it`;
  return `${role} (${file}, ${counted(rows, 'row')}) brings ${columns.join(', ')}: ${of}. Use its values in rules or signals.`;
}

/** Marks of changes whose meaning only the supplier knows: until it is written only full lists are taken. */
function openMarks(feed: FeedProposal, source: Record<string, unknown>): string[] {
  const { delivery } = feed;
  if (!hasOpenMarks(feed)) return [];
  const { column, open } = delivery!.marks!;
  const change = { column, removed: ['D'] };
  const found = open.map((mark) => JSON.stringify(printable(mark))).join(', ');
  return [
    `    # Changes lie beside it: ${printable(delivery!.changes)}. Their rows are marked in ${printable(String(column))}: ${found}.`,
    '    # Ask what removes a part, write it below instead of D, and use these lines instead of the source above.',
    ...settingLines({ source: { ...source, pattern: delivery!.both }, ...deliverySettings(feed), change }).map((line) =>
      line.replace(/^ {4}/u, '    # '),
    ),
  ];
}

function settingLines(settings: Record<string, unknown>): string[] {
  return Object.entries(settings).map(([key, value]) => `    ${key}: ${flow(value)}`);
}

/** What was found in the newest file, such as `north.csv: windows-1251, delimiter ";", header in line 4; 1,204 rows`. */
function foundLine({ files, detection, rows, several }: FeedProposal): string {
  const { header: isHeaded, headerLine } = detection;
  const header = !isHeaded ? ', no header' : headerLine === 0 ? '' : `, header in line ${headerLine}`;
  const read =
    rows === null || rows.read === 0
      ? ''
      : `; ${counted(rows.read, 'row')}, ${grouped(rows.accepted)} of them accepted`;
  const newest = several === undefined ? basename(files[0]!) : `${basename(files[0]!)} and others`;
  return `${newest}: ${writtenAs(detection)}${header}${read}.`;
}

function comment(text: string): string[] {
  return [`  # ${printable(text)}`];
}

/** The columns that are understood without a setting. */
function knownColumns({ detection, columns }: FeedProposal): string[] {
  const known = detection.mapping.filter(({ key, sure }) => sure && columns[key] === undefined);
  if (known.length === 0) return [];
  const names = known.map(columnInWords);
  return [`    # Understood without a setting: ${printable(names.join(', '))}`];
}

/** The settings that are missing, to be completed or confirmed by a person. */
function openMappings(feed: FeedProposal): string[] {
  const proposed = feed.detection.mapping.filter(({ key, sure }) => !sure && feed.columns[key] === undefined);
  const open = openColumns(feed);
  const missing = open.filter((key) => !proposed.some((mapping) => mapping.key === key));
  if (proposed.length === 0 && missing.length === 0) return [];
  const settings = proposed.map((one) => [one.key, settingFor(one, feed.detection)] as const);
  const needed = open.length === 0 ? '' : ' Until then its files are held.';
  return [
    ...proposed.map((mapping) => `    # Proposed: ${printable(mappingText(mapping))}`),
    ...missing.map((key) => {
      const how = feed.detection.header
        ? `columns: { ${key}: [NAME] }`
        : `columns: { ${key}: POSITION }, counted from 1`;
      // One number for all parts would make one part of them.
      const value = key === 'oem' ? '' : `, or one value for all rows: defaults: { ${key}: VALUE }`;
      return `    # Missing: ${key}. Write ${how}${value}`;
    }),
    ...(proposed.length === 0
      ? []
      : [
          `    # If this is right, remove the "# " before the next line.${needed}`,
          `    # columns: ${flow(listed(dictionary([...Object.entries(feed.columns), ...settings]), feed.detection))}`,
        ]),
  ];
}

function openDialect({ detection }: FeedProposal): string[] {
  if (detection.sure) return [];
  if (!detection.headerSure && detection.readings.length < 2) {
    return [
      `    # Not certain: ${detection.header ? `the header is line ${detection.headerLine}` : 'there is no header'}. Look at the first lines, then set`,
      `    # dialect: ${flow({ header: detection.header })}`,
    ];
  }
  const ways = detection.readings.map(readingName).join(' or ');
  return [
    `    # Not certain: ${printable(ways === '' ? readingName(detection) : ways)}. Compare with \`offerline detect\`, then set`,
    `    # dialect: ${flow({ charset: detection.charset, delimiter: detection.delimiter ?? 'auto' })}`,
  ];
}

/** What stands between tags, where it is not the mark of the uploaded file: a setting makes it certain for every file. */
function foundMark({ detection: { marks }, cells }: FeedProposal): string[] {
  const separator = cells === null ? (marks?.tags?.separator ?? SEPARATOR) : SEPARATOR;
  return separator === SEPARATOR ? [] : [`    tags: ${flow({ separator })}`];
}

/** What several values in one cell mean, as far as a person has to say it. */
function openCells({ cells, name }: FeedProposal): string[] {
  if (cells === null) return [];
  const [what = ''] = unsureCellsText(cells, name).split(/(?<=\.) /u);
  return [
    `    # ${printable(what)}`,
    '    # If this is right, remove the "# " before the next line. Until then its files are held.',
    ...cellsSettings(cells).map((line) => `    # ${line}`),
  ];
}

/** The table that is most likely meant where several could be. */
function openTable({ table, reason }: FeedProposal): string[] {
  if (table === null) return [];
  const [why = ''] = (reason ?? '').split(/(?<=\.) /u);
  return [
    `    # ${printable(why)}`,
    '    # If this is the list, remove the "# " before the next line. Until then its files are held.',
    ...Object.entries(table).map(([key, value]) => `    # ${key}: ${flow(value)}`),
  ];
}

/** How the configuration says where a column is. */
type Spelled = string[] | number | { from: 'headings' };

/** What a person has chosen by name is set by position where the name would not find it. */
function listed(columns: Record<string, string | number>, detection: Detection): Record<string, Spelled> {
  return dictionary(
    Object.entries(columns).map(([key, column]): [string, Spelled] => {
      if (column === HEADINGS) return [key, { from: 'headings' }];
      if (typeof column === 'number') return [key, column];
      const setting = settingFor({ key, column, position: detection.columns.indexOf(column) + 1 }, detection);
      return [key, typeof setting === 'number' ? setting : [setting]];
    }),
  );
}

/** A value in YAML's flow style, or in JSON, which is YAML, where that takes several lines; `${` would be taken for a variable of the environment. */
function flow(value: unknown): string {
  // Other blanks at the end belong to the value.
  const text = stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).replace(/\n+$/u, '');
  return (text.includes('\n') ? JSON.stringify(value) : text).replaceAll('${', () => '$${');
}

function pathFrom(base: string, folder: string): string {
  const path = relative(base, folder).split(sep).join('/');
  if (path === '') return '.';
  return isAbsolute(path) || path.startsWith('.') ? path : `./${path}`;
}
