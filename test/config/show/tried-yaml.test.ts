import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '../../../src/config/load.ts';
import { triedYaml } from '../../../src/config/show/tried-yaml.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const SOURCE = '    login: main\n    source: { type: directory, path: ./in }\n';

async function yamlOf(settings: string): Promise<string> {
  const file = join(tempFolder(), 'o.yaml');
  writeFileSync(file, `logins: { main: {} }\nfeeds:\n  north:\n${SOURCE}${settings}`);
  return triedYaml('north', (await loadConfig({ file, env: { BRAND: 'geheim' } })).alone.written);
}

test('the rules of a feed are YAML to edit, with conditions on one line', async () => {
  const yaml = await yamlOf(`
    rules: # why
      - name: no stock
        when:
          all: [{ stock: { below: 1 } }, { brand: { in: ["A: B", "\${BRAND}", 5] } }]
        leaveOut: true
      - { name: off, off: true }
    numbers: { strip: { prefix: [NT-] } }
    brands: { aliases: { VW: [VAG] } }
`);
  expect(yaml).toBe(`rules:
  - name: no stock
    when: { all: [ { stock: { below: 1 } }, { brand: { in: [ "A: B", "\${BRAND}", 5 ] } } ] }
    leaveOut: true
  - name: off
    off: true
brands:
  aliases:
    VW:
      - VAG
numbers:
  strip: { prefix: [ NT- ] }
`);
  expect(parse(yaml)).toMatchObject({ rules: [{ name: 'no stock' }, { off: true }] });
});

test('a feed without rules has an empty list of them', async () => {
  expect(await yamlOf('')).toBe('rules: []\n');
});
