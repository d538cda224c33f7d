import {
  areSomeToCome,
  type Choice,
  type Listed,
  passedOverTexts,
  type Remark,
  remarksOn,
  remarkTexts,
} from '../choose/choose.ts';
import { exceptResults, identityOf, type Past } from '../choose/past.ts';
import { isResult } from '../result/mark.ts';
import { interrupted } from '../save/save.ts';
import { cleanName, type Incomplete, type Pulled, type PullInput } from '../source.ts';
import { bringAll } from './bring-all.ts';
import { type FileNote, gather, type Gathered, manifestIn } from './gather.ts';
import { type ManifestEntry, readManifest, withOtherHashes } from './manifest.ts';
import { type Brought, packDelivery } from './pack.ts';
import type { SeveralWanted } from './wanted.ts';

/** What the files of a place come to, and the marker that stands for all of them. */
export type FoundFiles<T extends Listed> = Choice<T> & { marker?: Listed };

/**
 * Whether files are not being written any more: they were at rest before, or are after it was waited for once, in which time others may have come,
 * or were changed meanwhile.
 */
export type Settled = 'before' | 'waited' | 'changed';

/** A place of several files, whatever its kind. */
export type SeveralPlace<T extends Listed> = {
  /** As messages show it. */
  name: string;
  origin: string;
  /** How often a delivery is given time to come to rest. */
  patience: number;
  list: (past: Past | undefined) => Promise<FoundFiles<T>>;
  settle: (files: T[]) => Promise<Settled>;
  /** A file beside the target of the pull; null when it vanished or was changed meanwhile. */
  bring: (file: T) => Promise<Brought | null>;
};

/** Pulls all files that make one delivery, once it is complete and none of them is being written any more. */
export async function pullTogether<T extends Listed>(
  place: SeveralPlace<T>,
  wanted: SeveralWanted,
  input: PullInput,
): Promise<Pulled> {
  const results: Listed[] = [];
  const pulled = await pullWithout(results, { place, wanted, input });
  return results.length === 0 ? pulled : { ...pulled, results };
}

/** Results that are found among the files are left out, and noted. */
async function pullWithout<T extends Listed>(
  results: Listed[],
  { place, wanted, input: asked }: Asked<T>,
): Promise<Pulled> {
  const waited = { for: '' };
  for (let attempt = 0; attempt < place.patience; attempt++) {
    if (asked.signal?.aborted === true) throw interrupted(place.name);
    const past = results.length === 0 ? asked.past : exceptResults(results, asked.past);
    const input = { ...asked, past };
    const choice = await place.list(past);
    const told = choice.near.length > 0 ? { near: choice.near } : {};
    const manifest = await manifestOf(choice, { place, wanted, input });
    if (manifest === 'changed') continue;
    const known = { past, marker: choice.marker, entries: manifest?.entries, now: asked.now() };
    const found = gather(choice, wanted, known);
    const none = notTaken(found, choice, { place, wanted, input });
    if (none !== null) return { ...none, ...told };
    const { files, superseded } = found as Exclude<typeof found, { kind: 'none' }>;
    if (!(await areAtRest(files, place, waited))) continue;
    const brought = await bringAll(files, place, input.limits.fileSize);
    if (brought === null) continue;
    const ours = brought.filter(({ path }) => isResult(path));
    results.push(...ours.map(({ listed }) => listed));
    if (ours.length > 0) continue;
    const wrong = manifest === null ? [] : await withOtherHashes(brought, manifest.entries, manifest.name);
    if (wrong.length > 0) return { ...incomplete({ files, missing: wrong, notes: [] }, place.name), ...told };
    const beside = manifest === null ? lastManifests(found, choice, wanted, input) : [manifest.listed];
    const packed = await packDelivery({ files: brought, beside, superseded, origin: place.origin }, input);
    return { ...packed, ...saidOf(found.notes) };
  }
  return { kind: 'nothing', reason: `the newest files in ${place.name} are still being written`, waits: true };
}

/** Whether files may be taken now: after they were waited for, once the place shows the same ones again. */
async function areAtRest<T extends Listed>(
  files: T[],
  place: SeveralPlace<T>,
  waited: { for: string },
): Promise<boolean> {
  const shown = files.map(identityOf).join(' ');
  const isShownAgain = shown === waited.for;
  waited.for = '';
  if (isShownAgain) return true;
  const settled = await place.settle(files);
  if (settled === 'waited') waited.for = shown;
  return settled === 'before';
}

type Asked<T extends Listed> = { place: SeveralPlace<T>; wanted: SeveralWanted; input: PullInput };

type Manifest = { name: string; listed: Listed; entries: ManifestEntry[] };

/** The manifest of a new delivery; null where there is none, or none is wanted; `changed` when it is being written. */
async function manifestOf<T extends Listed>(
  choice: Choice<T>,
  { place, wanted, input }: Asked<T>,
): Promise<Manifest | 'changed' | null> {
  const file = manifestIn(choice, wanted, input.past);
  if (file === undefined) return null;
  if ((await place.settle([file])) === 'changed') return 'changed';
  const brought = await place.bring(file);
  if (brought === null) return 'changed';
  const named = await readManifest(brought, input.charsetOf);
  // `sha256sum *` counts the file that it writes, which may be all that there is.
  const entries = named.filter(({ name }) => !wanted.manifest?.matches(name));
  return { name: cleanName(file.name), listed: brought.listed, entries };
}

/** Why the files of a place are not taken now; null when they are. */
function notTaken<T extends Listed>(
  found: Gathered<T>,
  { passedOver }: Choice<T>,
  { place, wanted, input }: Asked<T>,
): Exclude<Pulled, { kind: 'file' }> | null {
  if (found.kind === 'none') {
    const why = [...textsOf(found.notes), ...passedOverTexts(passedOver)];
    return {
      kind: 'nothing',
      reason: [`no new file in ${place.name} matches ${wanted.pattern.text}`, ...why].join('; '),
      ...(areSomeToCome(passedOver) ? { waits: true } : {}),
      ...saidOf(found.notes),
    };
  }
  if (found.kind === 'known' && input.checkpoint?.origin === place.origin) {
    return { kind: 'unchanged', checkpoint: input.checkpoint, ...saidOf(found.notes) };
  }
  if (found.kind !== 'waiting' || (input.partial === true && found.files.length > 0)) return null;
  return incomplete(found, place.name);
}

/** A manifest may name many files that are not there. */
const SHOWN = 10;

type Waiting = { files: Listed[]; missing: string[]; notes: FileNote<Listed>[] };

function incomplete({ files, missing, notes }: Waiting, place: string) {
  const shown = missing.slice(0, SHOWN);
  const named = missing.length > SHOWN ? [...shown, `and ${missing.length - SHOWN} more`] : shown;
  const found: Incomplete = { there: files.map(({ name }) => cleanName(name)), missing: named };
  const why = `the delivery in ${place} is not complete: ${named.join(', ')} missing`;
  const reason = [why, ...textsOf(notes)].join('; ');
  return { kind: 'nothing' as const, reason, incomplete: found, ...saidOf(notes) };
}

function saidOf(notes: FileNote<Listed>[]): { remarks?: Remark[] } {
  const remarks = remarksOn(notes.map(({ file, why }) => ({ name: file.name, why, file })));
  return remarks.length === 0 ? {} : { remarks };
}

function textsOf(notes: FileNote<Listed>[]): string[] {
  return remarkTexts(saidOf(notes).remarks ?? []);
}

/** The manifest with which files came that are taken once more. */
function lastManifests<T extends Listed>(
  found: Gathered<T>,
  { newest, older }: Choice<T>,
  { manifest }: SeveralWanted,
  { past }: PullInput,
): Listed[] {
  if (found.kind !== 'known' || manifest === null || newest === undefined) return [];
  return [newest, ...older].filter((file) => manifest.matches(file.name) && past?.isOfLast?.(file) === true);
}
