import { stat } from 'node:fs/promises';
import { join as joinPath } from 'node:path';
import type {
  ColumnSettings,
  JoinSettings,
  PartnerSettings,
  ReadSettings,
} from '../../../config/schema/feed-settings.ts';
import { setTotal } from '../../../gauge.ts';
import { refusal } from '../../../io/refusal.ts';
import type { ColumnMapping, DetectedPartner, Detection, JoinedFile } from '../../../model.ts';
import type { UnpackedAll } from '../../../pull/unpack/unpack-all.ts';
import { sourceOfText } from '../../../validate/scan/scan-text.ts';
import { counted, grouped } from '../../../wording/words.ts';
import { HEADINGS } from '../../../wording/columns/accepted-column.ts';
import { poolFor, secondFor } from './pool-for.ts';
import { readDetected, type ReadResult, type Text, type Work } from '../read-text.ts';
import { detectFiles, type DetectedFile, type OpenFile } from '../several/detect-files.ts';
import { listText } from '../several/list-texts.ts';
import { broughtColumns } from './brought-columns.ts';
import { byteText } from './byte-text.ts';
import { findRoles } from './find-roles.ts';
import { indexPartner, withoutRow, type Partner, type PartnerFile } from './index-partner.ts';
import { freeMemory } from './kernel/free-memory.ts';
import { openJoinKernel, type JoinKernel } from './kernel/join-kernel.ts';
import { detectJoined, partsOf } from './joined-detection.ts';
import type { KeyPlaces } from './row-keys.ts';
import { writeJoined, type JoinedList } from './write-joined.ts';
import { cellDialect } from './written-cells.ts';

/** Where the files of a delivery go, and how they are joined. */
type JoinInput = { work: Work; text: Text; join: JoinSettings };

/**
 * Reads a list to which other files of its delivery are joined: their columns stand behind its own, so that it is read as any other. All or
 * nothing. Throws `file-rejected`.
 */
export async function readJoined(
  work: Work,
  text: Text,
  { files, passedOver }: UnpackedAll,
  join: JoinSettings,
): Promise<ReadResult> {
  const input = { work, text, join };
  const roles = findRoles(
    files.map(({ name }) => name),
    join,
  );
  if ('problem' in roles) throw wrongFiles(roles.problem, roles.missing, text.name);
  const list = await detectOne(input, files[roles.list]!, 0, work.settings);
  if ('reason' in list) return openFile(text, list, list.reason);
  const places = keyPlaces(list.detection, join, work.settings);
  const partners: PartnerFile[] = [];
  for (const [at, place] of roles.partners.entries()) {
    const partner = await findPartner(input, files[place]!, at + 1);
    if ('unsure' in partner) return partner;
    partners.push(partner);
  }
  if (typeof places === 'string') return readAlone(input, list, places);
  const columns = list.detection.header ? list.detection.columns : [];
  const named = nameColumns(partners, join, { columns, delivery: text.name });
  const own = await byteText(asText(list), { settings: work.settings, target: joinPath(text.path, 'list.txt') });
  const made = { ...own, name: list.file.name, parts: list.detection.parts, places };
  const { path, bytes, accounts, withoutAny, found } = await joinFiles(input, made, named);
  const settings = list.table?.settings ?? work.settings;
  const detection = await detectJoined(
    { name: list.file.name, own: list.detection, detection: own.detection, table: list.table, path, accounts, found },
    { ...work, settings },
  );
  setTotal(work.meter, bytes);
  await using pool = await poolFor(bytes);
  const read = await readDetected({ ...work, settings, pool }, { ...text, path, bytes }, detection);
  const notes = [...passedOver, ...notesOf(list), ...partners.flatMap((partner) => partner.notes)];
  return { ...read, notes, joined: accounts, withoutAny };
}

function asText({ file, path, detection }: DetectedFile) {
  return { name: file.name, path, detection };
}

async function detectOne(
  { work, text }: JoinInput,
  file: UnpackedAll['files'][number],
  at: number,
  settings: ReadSettings,
): Promise<DetectedFile | OpenFile> {
  const one = await listText(file, at, { folder: text.path, settings, signal: work.signal });
  const found = await detectFiles([one], { ...work, settings });
  return Array.isArray(found) ? found[0]! : found;
}

function notesOf({ file, table }: DetectedFile): string[] {
  return (table?.notes ?? []).map((note) => `${file.name}: ${note}`);
}

function openFile(text: Text, { name, detection, table }: Omit<OpenFile, 'reason'>, reason: string): ReadResult {
  const setting = table?.setting ?? null;
  return { ...text, name, detection, unsure: 'dialect', reason: `In ${name}: ${reason}`, setting, validation: null };
}

/** A partner as it is written, with the columns that are compared; or why a person has to say something of it first. */
async function findPartner(
  input: JoinInput,
  file: UnpackedAll['files'][number],
  at: number,
): Promise<PartnerFile | ReadResult> {
  const { work, text, join } = input;
  const its = join.files[at]!;
  const setting = `feeds.NAME.join.partners.${its.role}`;
  // A partner is no list: how lists before it were written says nothing of it.
  const apart = { ...input, work: { ...work, writtenBefore: [] } };
  const found = await detectOne(apart, file, at, partnerSettings(work.settings, join, its));
  const detection = { ...found.detection, partner: its.role };
  if ('reason' in found) {
    const ofDialect = found.reason.replaceAll('feeds.NAME.dialect', `${setting}.dialect`);
    const reason = found.table === null ? ofDialect : `${found.table.what} ${OF_ITS_OWN}`;
    return openFile(text, { name: found.name, detection, table: null }, reason);
  }
  const places = keyPlaces(detection, join, { columns: [] });
  if (typeof places === 'string') {
    const reason = lackingReason(places, detection, `${setting}.${places}`);
    return openFile(text, { name: file.name, detection, table: null }, reason);
  }
  const target = joinPath(text.path, `partner-${at}.txt`);
  const bytes = await byteText(asText(found), { settings: work.settings, target });
  const { parts, charset } = found.detection;
  return { role: its.role, file: file.name, ...bytes, parts, charset, places, columns: [], notes: notesOf(found) };
}

const OF_ITS_OWN =
  'Ask the supplier to send the one that is meant in a file of its own: no setting chooses among the tables of a file that is joined.';

/** How a partner is read: only the columns that are compared are looked for, and nothing that is known of the list counts. */
function partnerSettings(settings: ReadSettings, { on }: JoinSettings, its: PartnerSettings): ReadSettings {
  const columns = settings.columns
    .filter(({ key }) => on.some((one) => one === key))
    .map((column): ColumnSettings => {
      const set = its[column.key as 'brand' | 'oem'];
      const names = typeof set === 'number' ? [] : set;
      return Object.assign({}, column, {
        required: true,
        names: [...new Set([...column.names, ...names])],
        configured: names,
        position: typeof set === 'number' ? set : null,
        fallback: null,
      });
    });
  return {
    ...settings,
    ...its.dialect,
    columns,
    accepted: [],
    rules: [],
    signals: null,
    split: null,
    sheet: null,
    records: null,
  };
}

/** Where the columns are that are compared; the key of one that is not known for certain. */
function keyPlaces(
  { mapping }: Detection,
  { on }: JoinSettings,
  { columns }: Pick<ReadSettings, 'columns'>,
): KeyPlaces | 'brand' | 'oem' {
  const placeOf = (key: string) =>
    mapping.find((column) => column.key === key && column.sure && column.position !== HEADINGS)?.position;
  const oem = placeOf('oem');
  if (oem === undefined) return 'oem';
  const brand = placeOf('brand');
  if (!on.includes('brand'))
    return { oem: oem - 1, brand: null, shownBrand: brand === undefined ? undefined : brand - 1 };
  if (brand !== undefined) return { oem: oem - 1, brand: brand - 1 };
  const fallback = columns.find(({ key }) => key === 'brand')?.fallback ?? null;
  const isInHeadings = mapping.some(({ key, position }) => key === 'brand' && position === HEADINGS);
  return fallback === null || isInHeadings ? 'brand' : { oem: oem - 1, brand: fallback };
}

/** A list without a column that is compared is read as if it had come alone, which says what is to be done. */
async function readAlone({ work, text }: JoinInput, list: DetectedFile, key: 'brand' | 'oem'): Promise<ReadResult> {
  const { file, path, bytes, detection } = list;
  const parts = partsOf(file.name, detection.parts);
  const own = { ...detection, format: 'files', parts, joined: { name: file.name, written: detection } } as const;
  const read = await readDetected(work, { ...text, path, bytes }, own);
  if (read.unsure !== null || read.validation.outcome === 'rejected') return read;
  const reason = lackingReason(key, detection, `feeds.NAME.columns.${key}`);
  return openFile(text, { name: file.name, detection, table: null }, reason);
}

const WORDS = { oem: 'the article number', brand: 'the brand' };
const SHOWN = 20;

function lackingReason(key: 'brand' | 'oem', { columns, mapping }: Detection, setting: string): string {
  const guess: ColumnMapping | undefined = mapping.find((column) => column.key === key);
  const names = columns.filter((name) => name.trim() !== '').slice(0, SHOWN);
  const its =
    names.length === 0
      ? 'It has no header'
      : `Its columns: ${names.map((name) => JSON.stringify(name.trim())).join(', ')}`;
  const may = guess?.column == null ? '' : `; ${JSON.stringify(guess.column)} may be it`;
  const without = key === 'brand' ? ', or join by the number alone (on: [oem])' : '';
  return `It is not certain which column has ${WORDS[key]}, by which files are joined. ${its}${may}. Name the column under ${setting}${without}.`;
}

/** The partners with the columns that they bring. Throws where a column is missing that the settings name. */
function nameColumns(
  partners: PartnerFile[],
  { files }: JoinSettings,
  { columns, delivery }: { columns: string[]; delivery: string },
): PartnerFile[] {
  const there = [...columns];
  return partners.map((partner, at) => {
    const { role, file, detection, places } = partner;
    const keys = [places.oem, ...(typeof places.brand === 'number' ? [places.brand] : [])];
    const its = { role, header: detection.header, columns: detection.columns, width: detection.width, keys };
    const found = broughtColumns({ ...its, wanted: files[at + 1]!.columns }, there);
    if ('missing' in found) throw lacksColumn(found.missing, partner, delivery);
    if (found.length === 0) throw bringsNothing(file, delivery);
    there.push(...found.map(({ name }) => name));
    return { ...partner, columns: found };
  });
}

/** What came of joining files. */
type Joined = { path: string; bytes: number; accounts: JoinedFile[]; withoutAny: number; found: DetectedPartner[] };

/** Joins the partners to the list in one text. */
async function joinFiles(input: JoinInput, list: JoinedList, files: PartnerFile[]): Promise<Joined> {
  const opened: { memory?: WeakRef<WebAssembly.Memory> } = {};
  try {
    return await joinWith(input, list, files, ({ shared }) => (opened.memory = new WeakRef(shared)));
  } finally {
    if (opened.memory !== undefined) await freeMemory(opened.memory);
  }
}

async function joinWith(
  { work, text }: JoinInput,
  list: JoinedList,
  files: PartnerFile[],
  onOpen: (kernel: JoinKernel) => void,
): Promise<Joined> {
  const { dialect } = sourceOfText({ ...list, settings: work.settings });
  const partners: Partner[] = [];
  const sizes = await Promise.all([list, ...files].map(async ({ path }) => (await stat(path)).size));
  await using kernel = await openJoinKernel(secondFor(sizes.reduce((sum, size) => sum + size, 0)));
  onOpen(kernel);
  const joining = { ...work, kernel };
  try {
    for (const [at, file] of files.entries()) {
      const goal = { target: cellDialect(dialect), spill: joinPath(text.path, `cells-${at}`) };
      partners.push(await indexPartner(file, goal, joining));
    }
    const path = joinPath(text.path, 'joined.txt');
    const { fileSize: most } = work.settings.limits;
    const limit = { most, tooLarge: () => tooLarge(text.name, most) };
    const { bytes, withoutAny } = await writeJoined(list, partners, path, { ...joining, limit });
    if (bytes > most) throw limit.tooLarge();
    for (const partner of partners) {
      refuseOther(partner.account, text.name);
      await withoutRow(partner, joining);
    }
    const found = partners.map(({ source: { role, columns, charset }, issues }) => {
      return { role, charset, columns: columns.length, issues: issues.all() };
    });
    return { path, bytes, accounts: partners.map(({ account }) => account), withoutAny, found };
  } finally {
    for (const partner of partners) partner[Symbol.dispose]();
  }
}

/** A partner that has none of the parts of the list is another file, or its numbers are others. */
function refuseOther({ role, file, rows, joined, withoutPartner, examples }: JoinedFile, delivery: string): void {
  if (joined > 0 || withoutPartner === 0) return;
  const [example] = examples.withoutPartner;
  const what =
    rows === 0
      ? `${file} has no row`
      : `${file} has none of the parts of the list (${counted(rows, 'row')}, and ${grouped(withoutPartner)} of the list, such as ${example!.part})`;
  const message =
    `In ${delivery}: ${what}, so nothing of the delivery was taken. ` +
    `Ask the supplier whether it is the right file, and see feeds.NAME.join.on and feeds.NAME.join.partners.${role}.`;
  throw refusal('joined-file-unusable', message, { file, rows });
}

function wrongFiles(problem: string, missing: string | null, delivery: string): Error {
  const message = `In ${delivery}: ${problem}, so nothing of it was taken (feeds.NAME.join).`;
  return refusal('joined-file-missing', message, { file: delivery, missing });
}

function lacksColumn(column: string, { role, file, detection }: PartnerFile, delivery: string): Error {
  const names = detection.columns.filter((name) => name.trim() !== '').slice(0, SHOWN);
  const its =
    names.length === 0 ? `it has no header and ${detection.width} columns` : `its columns: ${names.join(', ')}`;
  const message =
    `In ${delivery}: ${file} has no column ${column} (feeds.NAME.join.partners.${role}.bring; ${its}), so nothing of it was taken. ` +
    'Correct the setting, or ask the supplier for this file again.';
  return refusal('joined-file-unusable', message, { file, column });
}

function bringsNothing(file: string, delivery: string): Error {
  const message = `In ${delivery}: ${file} has no columns but those that are compared, so there is nothing to join. Ask the supplier for the right file.`;
  return refusal('joined-file-unusable', message, { file });
}

function tooLarge(name: string, limit: number): Error {
  const message = `${name} has more than ${limit} bytes once its files are joined (limits.fileSize). Join fewer columns with bring, or ask for shorter cells.`;
  return refusal('file-too-large', message, { file: name, limit });
}
