import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { configText } from '../../../src/cli/init/write-config.ts';
import type { FeedProposal } from '../../../src/cli/init/propose-feed.ts';
import { defaultNames } from '../../../src/config/schema/default-columns.ts';
import { foldExactName } from '../../../src/config/schema/match-names.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { dialect } from '../../support/read-settings.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** Names that are known of other columns: they would find those. */
const OTHERS = ['oem', 'name', 'tags'].flatMap((key) => [key, ...defaultNames(key)].map(foldExactName));

const anyText = fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }).filter((text) => text.trim() !== '');

test('whatever files and columns are called, the configuration is valid and says what was chosen', async () => {
  const folder = tempFolder();
  const file = join(folder, 'offerline.yaml');
  await fc.assert(
    fc.asyncProperty(anyText, anyText, anyText, fc.boolean(), async (name, brand, pattern, isChosen) => {
      const mapping = [{ key: 'brand', column: brand, position: 1, sure: false, evidence: name }];
      const feed: FeedProposal = {
        name: 'north',
        folder: join(folder, 'in'),
        pattern,
        files: [join(folder, 'in', name)],
        inner: name,
        detection: dialect({ columns: [brand], mapping }),
        reason: null,
        cells: null,
        table: null,
        rows: { read: 3, accepted: 2, duplicates: 0 },
        entries: null,
        entry: null,
        columns: isChosen ? { brand } : {},
        dialect: {},
      };
      writeFileSync(file, configText([feed], file, { timezone: 'Europe/Berlin' }));
      const { config } = await loadConfig({ file, env: {} });
      expect(config.feeds['north']).toMatchObject({
        login: 'main',
        source: { type: 'directory', path: join(folder, 'in'), pattern },
        columns: isChosen ? { brand: OTHERS.includes(foldExactName(brand)) ? 1 : [brand] } : {},
      });
    }),
    { examples: [['north.csv', 'Name', 'north.csv', true]] },
  );
});

test('the table that is proposed is a line to be uncommented, whatever it is called', async () => {
  const folder = tempFolder();
  const file = join(folder, 'offerline.yaml');
  await fc.assert(
    fc.asyncProperty(anyText, fc.boolean(), async (name, isSheet) => {
      const table = isSheet ? { sheet: name } : { records: name };
      const feed: FeedProposal = {
        name: 'north',
        folder,
        pattern: 'north.xml',
        files: [join(folder, 'north.xml')],
        inner: 'north.xml',
        detection: dialect({ format: 'xml' }),
        reason: `${name}. Set feeds.north.records.`,
        cells: null,
        table,
        rows: null,
        entries: null,
        entry: null,
        columns: {},
        dialect: {},
      };
      const text = configText([feed], file, { timezone: 'Europe/Berlin' });
      writeFileSync(file, text.replace(/^ {4}# (sheet|records): /mu, '    $1: '));
      const { config } = await loadConfig({ file, env: {} });
      expect(config.feeds['north']).toMatchObject(table);
    }),
  );
});
