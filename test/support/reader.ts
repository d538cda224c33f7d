import { openReading } from '../../src/app/open-reader.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { Context } from '../../src/context.ts';
import { createGauges } from '../../src/gauge.ts';
import { join } from 'node:path';
import { atEnd } from './at-end.ts';
import type { Installation } from './installation.ts';
import { memoryLog } from './memory-log.ts';

/** Opens the installation of a test for questions, as the console does: nothing can be written by what asks. */
export async function readerOf({ folder, home }: Installation): Promise<Context> {
  const loaded = await loadConfig({ file: join(folder, 'offerline.yaml'), home, env: {} });
  const { ctx, close } = await openReading(loaded, memoryLog().log, createGauges());
  atEnd(close);
  return ctx;
}
