import { z } from '../zod.ts';
import { hostName } from '../service-schema.ts';
import { duration } from '../units.ts';
import { credential, type WithSecrets } from '../credential.ts';
import { choosing } from './folders.ts';
import { bareUrl } from './graph.ts';

const FOLDER = 'expected the ID of a folder, or its address such as https://drive.google.com/drive/folders/ID';

/** A key of a service account, as Google gives it. */
export const serviceAccount = z.strictObject({ type: z.literal('serviceAccount'), key: credential('text') });

/** A folder in Google Drive, as written. */
export const driveSource = z.strictObject({
  type: z.literal('drive'),
  folderId: z.string().regex(/^(https:\/\/drive\.google\.com\/\S*\/folders\/)?[\w-]+(\?\S*)?$/u, FOLDER),
  sheets: z.enum(['xlsx', 'csv', 'none']).default('xlsx'),
  auth: z.discriminatedUnion('type', [serviceAccount.extend({ subject: z.string().min(1).optional() })]),
  endpoint: bareUrl.optional(),
  ...choosing,
  timeout: duration.prefault('30s'),
  allowHosts: z.array(hostName).default([]),
});

export type DriveSource = WithSecrets<z.output<typeof driveSource>>;

/** Where the interface of Google Drive is unless it is written. */
export const GOOGLE = 'https://www.googleapis.com';

/** The ID of the folder, also of one that is written as its address. */
export function folderIdOf({ folderId }: Pick<DriveSource, 'folderId'>): string {
  return folderId.replace(/^.*\//u, '').replace(/\?.*$/u, '');
}
