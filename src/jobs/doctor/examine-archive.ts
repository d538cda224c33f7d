import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { remoteOf } from '../../app/archive-place.ts';
import type { LoadedConfig } from '../../config/load.ts';
import type { Context } from '../../context.ts';

/** Whether files can be kept and read again, and what would take them away. */
export async function examineArchive(loaded: LoadedConfig, ctx: Context): Promise<string> {
  const here = await examineHome(ctx);
  const remote = remoteOf(loaded);
  if (remote === null) return here;
  const [{ openStore }, { tryStore }] = await Promise.all([
    import('../../archive/s3/store.ts'),
    import('../../archive/s3/try-store.ts'),
  ]);
  await using store = openStore(remote);
  const { conditions, expires, versions } = await tryStore(store, remote);
  const warnings = [
    expires &&
      'warning: the bucket has lifecycle rules that expire objects; offerline removes what is no longer needed',
    versions &&
      'warning: the bucket keeps versions, so what prune removes still takes space; expire noncurrent versions',
  ].filter((warning) => warning !== false);
  return [`${store.place} puts, reads, lists and removes, and ${WITH_CONDITIONS[conditions]}`, here, ...warnings].join(
    '; ',
  );
}

const WITH_CONDITIONS = {
  honoured: 'writes only what is not there',
  refused: 'does not know If-None-Match, so it is asked first',
  ignored: 'passes If-None-Match over, so what is there may be written again',
};

async function examineHome(ctx: Context): Promise<string> {
  const folder = await ctx.archive.tempFolder();
  try {
    await writeFile(join(folder, 'probe'), 'probe');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const { bavail, bsize } = await statfs(ctx.home);
  return `${ctx.home} is writable, ${Math.round((bavail * bsize) / 1e9)} GB free`;
}
