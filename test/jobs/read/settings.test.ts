import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/load.ts';
import { readSettings } from '../../../src/config/schema/feed-settings.ts';
import { settingsHash } from '../../../src/jobs/read/settings.ts';
import { tempFolder } from '../../support/temp-folder.ts';

async function hashOf(feed: object): Promise<string> {
  const file = join(tempFolder(), 'offerline.yaml');
  const north = { login: 'main', source: { type: 'directory', path: './in' }, ...feed };
  writeFileSync(file, JSON.stringify({ logins: { main: {} }, feeds: { north } }));
  const { config } = await loadConfig({ file, env: {} });
  return settingsHash(config, 'north', readSettings(config, 'north'));
}

/** The hash of a feed without settings since the version that first had one. */
const OF_EARLIER_VERSIONS = 'd52dc7e72bfb5fd6488534532d17ff7223a5a1407ae43c4670c1131a3a870a06';

test('an upgrade does not make a feed without settings read its file again', async () => {
  expect(await hashOf({})).toBe(OF_EARLIER_VERSIONS);
});

test.each([
  { onDamagedNumber: 'keep' },
  { values: { keep: ['n/a'] } },
  { tags: { separator: '|' } },
  { numbers: { separator: ',', take: 'each' } },
  { guard: { maxPartsGone: '30%' } },
])('a setting that changes what is read is another hash: %o', async (settings) => {
  expect(await hashOf(settings)).not.toBe(OF_EARLIER_VERSIONS);
});
