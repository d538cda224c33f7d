import { join } from 'node:path';
import { configure, feedNames, fillHome, fillLedger, type Size } from '../../bench/web/fill-ledger.ts';
import { openContext } from '../../src/app/open-context.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { Config } from '../../src/config/schema/schema.ts';
import type { Context } from '../../src/context.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { createLog } from '../../src/log.ts';
import { atEnd } from './at-end.ts';
import { tempFolder } from './temp-folder.ts';

/** A small shop with everything that a large one has. */
export const SMALL: Size = { runs: 400, feeds: 7, logins: 2, incidents: 24, seed: 7 };
export const FEEDS = feedNames(SMALL);
/** When its last deliveries came. */
export const END = Date.UTC(2026, 10, 24, 9);

/** Fills a ledger with what 90 days of a small shop leave; gives its configuration. */
export async function fillSmall(ledger: Ledger, size = SMALL): Promise<Config> {
  const folder = tempFolder();
  const { config } = await loadConfig({ file: configure(folder, size), home: folder, env: {} });
  await fillLedger(ledger, { config, size, end: END, files: { rows: 'a'.repeat(64), index: 'b'.repeat(64) } });
  return config;
}

/** Opens the filled home of a small shop, as a command does. */
export async function openSmall(size = SMALL): Promise<Context> {
  const folder = tempFolder();
  const [file, home] = [configure(folder, size), join(folder, 'home')];
  await fillHome(file, home, size, Date.now());
  const log = await createLog({ level: 'error', pretty: false });
  const { ctx, close } = await openContext(await loadConfig({ file, home, env: {} }), log);
  atEnd(close);
  return ctx;
}
