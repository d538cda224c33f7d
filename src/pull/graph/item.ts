import { z } from 'zod';
import type { Listed } from '../choose/choose.ts';

/** A marker of what an item is: an object of which only its being there is of interest. */
const facet = z.object({}).optional().catch(undefined);

const where = z.object({ driveId: z.string().optional() }).optional().catch(undefined);

/** An item of a drive as far as it is used. */
export const item = z.object({
  id: z.string(),
  name: z.string().catch(''),
  size: z.number().int().nonnegative().optional().catch(undefined),
  lastModifiedDateTime: z.string().optional().catch(undefined),
  eTag: z.string().optional().catch(undefined),
  cTag: z.string().optional().catch(undefined),
  file: facet,
  folder: facet,
  malware: facet,
  deleted: facet,
  parentReference: where,
  remoteItem: z.object({ id: z.string(), parentReference: where, folder: facet }).optional().catch(undefined),
});

export type Item = z.output<typeof item>;

/** Those properties, so that pages stay small. */
export const SELECT =
  'id,name,size,lastModifiedDateTime,eTag,cTag,file,folder,malware,deleted,parentReference,remoteItem';

/** Where an item is. */
export type At = { drive: string; id: string };

/** A file and where its bytes are. */
export type Found = { file: Listed; at: At; eTag: string | undefined; isShortcut?: true };

/**
 * A file under the name by which it is chosen. Its size is not relied on: that of documents is told larger or smaller than
 * what is sent. Its content has a tag of its own, which a change of other columns of a library leaves as it is.
 */
export function foundAs(name: string, found: Item, at: At): Found {
  const { size = 0, lastModifiedDateTime = '', cTag, eTag } = found;
  const mtimeMs = Date.parse(lastModifiedDateTime);
  const id = cTag ?? eTag;
  return {
    file: {
      name,
      size,
      mtimeMs: Number.isNaN(mtimeMs) ? null : mtimeMs,
      inexact: true,
      ...(id === undefined ? {} : { id }),
    },
    at,
    eTag,
  };
}
