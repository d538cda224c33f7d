import { z } from 'zod';
import type { DriveSource } from '../../config/schema/sources/drive.ts';
import type { Listed } from '../choose/choose.ts';

const FOLDER = 'application/vnd.google-apps.folder';
const SHORTCUT = 'application/vnd.google-apps.shortcut';
const SHEET = 'application/vnd.google-apps.spreadsheet';
const OF_GOOGLE = 'application/vnd.google-apps.';

/** The types that Google makes of a sheet, by the ending of their names. */
export const EXPORTS = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv',
} as const;

/** A file, folder or shortcut of a drive as far as it is used. */
export const item = z.object({
  id: z.string().regex(/^[\w-]+$/u),
  name: z.string().catch(''),
  mimeType: z.string().catch(''),
  size: z.coerce.number().int().nonnegative().optional().catch(undefined),
  md5Checksum: z.string().optional().catch(undefined),
  headRevisionId: z.string().optional().catch(undefined),
  version: z.string().optional().catch(undefined),
  modifiedTime: z.string().optional().catch(undefined),
  trashed: z.boolean().catch(false),
  parents: z.array(z.string()).optional().catch(undefined),
  driveId: z.string().optional().catch(undefined),
  shortcutDetails: z
    .object({ targetId: z.string(), targetMimeType: z.string().catch('') })
    .optional()
    .catch(undefined),
});

export type Item = z.output<typeof item>;

/** Those fields. */
export const FIELDS =
  'id,name,mimeType,size,md5Checksum,headRevisionId,version,modifiedTime,trashed,parents,driveId,shortcutDetails(targetId,targetMimeType)';

/** A file, the item that has its bytes, and as what a sheet is exported. */
export type Found = { file: Listed; bytes: Item; format?: keyof typeof EXPORTS; isShortcut: boolean };

/** True for a folder, or for a shortcut to one. */
export function isFolder({ mimeType, shortcutDetails }: Item): boolean {
  return mimeType === FOLDER || shortcutDetails?.targetMimeType === FOLDER;
}

/** True for what only leads to another file. */
export function isShortcut({ mimeType }: Item): boolean {
  return mimeType === SHORTCUT;
}

/** The name by which a file is chosen: a sheet has the ending of the file that is made of it. */
export function nameOf({ name, mimeType, shortcutDetails }: Item, sheets: DriveSource['sheets']): string {
  const isSheet = (shortcutDetails?.targetMimeType ?? mimeType) === SHEET;
  if (!isSheet || sheets === 'none' || name.toLowerCase().endsWith(`.${sheets}`)) return name;
  return `${name}.${sheets}`;
}

/**
 * An item as a file, `bytes` being itself or what it leads to as a shortcut; a text says why it is none. What tells one content from
 * another are its revision and checksum; a sheet has neither, and only its time.
 */
export function foundAs(found: Item, bytes: Item, sheets: DriveSource['sheets']): Found | string {
  const { mimeType, size, md5Checksum, headRevisionId, modifiedTime = '' } = bytes;
  const isSheet = mimeType === SHEET;
  if (isSheet && sheets === 'none') return 'is a Google sheet; set source.sheets to xlsx or csv to take it';
  if (!isSheet && mimeType.startsWith(OF_GOOGLE)) return 'is a document of Google, not a file';
  const mtimeMs = Date.parse(modifiedTime);
  const content = [headRevisionId, md5Checksum].filter((part) => part !== undefined);
  return {
    file: {
      name: nameOf(found, sheets),
      size: size ?? 0,
      mtimeMs: Number.isNaN(mtimeMs) ? null : mtimeMs,
      id: [found.id, ...(found === bytes ? [] : [bytes.id]), ...(isSheet ? [] : content)].join(' '),
      ...(size === undefined || isSheet ? { inexact: true as const, size: 0 } : {}),
    },
    bytes,
    ...(isSheet && sheets !== 'none' ? { format: sheets } : {}),
    isShortcut: found !== bytes,
  };
}

/** The id of the item that a file was listed as. */
export function itemIdOf({ id = '' }: Listed): string {
  return id.split(' ')[0] ?? '';
}
