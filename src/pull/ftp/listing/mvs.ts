import { type Entry, momentOf } from './entry.ts';

/** The first line of a listing of data sets, and of one of the members of a partitioned data set. */
const DATA_SETS = /^\s*Volume\s+Unit\s+.*\bDsname\s*$/iu;
const MEMBERS = /^\s*Name\s+(?:VV\.MM|Size\s+TTR)\b/iu;

/** Reads the lines of z/OS (MVS) that follow such a first line; null for a line that is none. */
export type MvsReader = (line: string) => Entry | null;

/** The reader for the lines below a first line of z/OS; null when it is none. Pure. */
export function mvsReader(first: string): MvsReader | null {
  return DATA_SETS.test(first) ? readDataSet : MEMBERS.test(first) ? readMember : null;
}

function readDataSet(line: string): Entry | null {
  const aside = /^\s*(?:Migrated|ARCIVE|Archived|Not Direct Access Device|Error determining attributes)\s+(\S+)\s*$/iu;
  const unread = aside.exec(line)?.[1];
  // Reading a migrated data set fetches it from its tape.
  if (unread !== undefined) return entry(unread, 'file', null);
  if (/^\s*Pseudo Directory\s+\S+\s*$/iu.test(line)) return entry(line.trim().split(/\s+/u).at(-1)!, 'folder', null);
  const cells = line.trim().split(/\s+/u);
  const organisation = cells.at(-2) ?? '';
  if (cells.length < 4 || !/^(?:PS|PO|VS|VSAM|DA|PATH|HFS|ZFS|GDG|PO-E|PS-E|PS-L)$/u.test(organisation)) return null;
  const date = /(\d{4})\/(\d\d)\/(\d\d)/u.exec(line);
  const shownAt = date === null ? null : momentOf([Number(date[1]), Number(date[2]), Number(date[3])]);
  return entry(cells.at(-1)!, organisation.startsWith('PS') ? 'file' : 'folder', shownAt);
}

function readMember(line: string): Entry | null {
  const found = /^\s*([A-Z#@$][A-Z0-9#@$]{0,7})(?:\s|$)/u.exec(line);
  if (found === null) return null;
  const changed = [...line.matchAll(/(\d{4})\/(\d\d)\/(\d\d)(?:\s+(\d\d:\d\d))?/gu)].at(-1);
  const shownAt =
    changed === undefined ? null : momentOf([Number(changed[1]), Number(changed[2]), Number(changed[3])], changed[4]);
  return entry(found[1]!, 'file', shownAt);
}

/** Sizes are in tracks or records. */
function entry(name: string, kind: Entry['kind'], shownAt: number | null): Entry {
  return { name: name.replaceAll("'", ''), kind, size: null, modifiedAt: null, shownAt };
}
