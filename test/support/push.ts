import { join } from 'node:path';
import { openContext } from '../../src/app/open-context.ts';
import { loadConfig } from '../../src/config/load.ts';
import { takePush } from '../../src/jobs/push/take-push.ts';
import type { Installation } from './installation.ts';
import { memoryLog } from './memory-log.ts';

/** Pushes a file to a feed, as the API does; the sweep of a worker finds it. */
export async function pushTo(
  { folder, home }: Installation,
  feed: string,
  name: string,
  content: string,
): Promise<{ run: string; again: boolean }> {
  const loaded = await loadConfig({ file: join(folder, 'offerline.yaml'), home, env: {} });
  const { ctx, close } = await openContext(loaded, memoryLog().log);
  try {
    const { sha256, bytes } = await ctx.archive.put(contentOf(content));
    const by = { who: 'token supplier', via: 'api', origin: null } as const;
    return await takePush({ feed, name, sha256, bytes, key: null, by }, ctx);
  } finally {
    await close();
  }
}

async function* contentOf(text: string) {
  yield Buffer.from(text);
}
