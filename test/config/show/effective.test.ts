import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/load.ts';
import { effectiveSettings, type Setting } from '../../../src/config/show/effective.ts';
import { asYaml } from '../../../src/config/show/as-yaml.ts';
import { showPath } from '../../../src/config/read/path.ts';
import type { AcceptedColumns } from '../../../src/model.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const YAML = `
offer:
  tagSeparator: "|"
  columns:
    brand: { required: true, names: [marke] }
    tags: null
logins:
  main:
    auth: { type: basic, user: shop, password: "geheim-1" }
    guard: { maxRowDrop: 40% }
feeds:
  north: &north
    login: main
    source: { type: directory, path: ./inbox }
    schedule: { cron: "0 6 * * *" }
    columns: { oem: [Kat-Nr, "Nr, alt"], name: 3 }
    defaults: { brand: BOSCH }
    guard: { minRows: 5 }
  web:
    <<: *north
    source:
      type: http
      url: https://example.com/list?key=geheim-2
      headers: { X-Key: geheim-3, Y: "\${TOKEN}", Z: { file: ./z } }
      auth: { type: bearer, token: "geheim-4 \${TOKEN}" }
`;
const ACCEPTED: AcceptedColumns[] = [
  {
    fingerprint: 'f',
    columns: [
      { key: 'oem', column: 'Cod articol', position: 2 },
      { key: 'name', column: 'Denumire', position: 4 },
      { key: 'brand', column: null, position: 1 },
    ],
    run: 'R1',
    who: 'ana',
    reason: 'asked\nthem',
    at: Date.UTC(2026, 4, 4),
  },
];

async function load(text: string, env: NodeJS.ProcessEnv = { TOKEN: 'geheim-5' }) {
  const folder = tempFolder();
  const file = join(folder, 'o.yaml');
  writeFileSync(file, text);
  writeFileSync(join(folder, 'z'), 'geheim-6\n');
  return loadConfig({ file, home: folder, env });
}

async function settingsOf(feed: string, accepted: AcceptedColumns[] = []): Promise<Setting[]> {
  const loaded = await load(YAML);
  return effectiveSettings(feed, accepted, { ...loaded, file: 'o.yaml' });
}

const lineOf = (text: string) => YAML.slice(0, YAML.indexOf(text)).split('\n').length;

test('each setting says where it comes from', async () => {
  const settings = new Map((await settingsOf('north', ACCEPTED)).map((one) => [showPath(one.path), one]));
  const from = (path: string) => [settings.get(path)?.value, settings.get(path)?.from];
  expect(from('feeds.north.guard.minRows')).toEqual([5, `o.yaml:${lineOf('minRows')}`]);
  expect(from('feeds.north.guard.maxRowDrop')).toEqual(['40%', `login main, o.yaml:${lineOf('maxRowDrop')}`]);
  expect(from('feeds.north.guard.maxRejected')).toEqual(['20%', 'default']);
  expect(from('feeds.north.source.settle')).toEqual(['5s', 'default']);
  expect(from('feeds.north.columns.brand[0]')).toEqual(['brand', 'the key itself']);
  expect(from('feeds.north.columns.brand[1]')).toEqual(['marke', `o.yaml:${lineOf('marke')}`]);
  expect(from('offer.columns.tags')).toEqual([null, `o.yaml:${lineOf('tags: null')}`]);
  const oems = [...settings.values()].filter(({ path }) => path[2] === 'columns' && path[3] === 'oem');
  expect(oems.at(-1)).toMatchObject({ value: 'Cod articol', from: 'accepted by ana on 2026-05-04: asked\nthem' });
  expect(settings.has('feeds.north.expires')).toBe(false);
});

test('what was accepted stands in the YAML, as a remark where it cannot be pasted or gives way', async () => {
  const yaml = asYaml(await settingsOf('north', ACCEPTED));
  expect(yaml).toMatch(/^ {8}- Cod articol +# accepted by ana on 2026-05-04: asked them$/m);
  expect(yaml).toMatch(/^ {6}# name: Denumire +# accepted by ana .*; gives way$/m);
  expect(yaml).toMatch(/^ {8}# brand: 1 +# accepted by ana /m);
});

test('nothing secret is shown', async () => {
  for (const feed of ['north', 'web']) {
    const settings = await settingsOf(feed);
    expect(JSON.stringify(settings) + asYaml(settings)).not.toContain('geheim');
  }
  const yaml = asYaml(await settingsOf('web'));
  expect(yaml).toMatch(/^ +# X-Key: "\[secret\]"/m);
  expect(yaml).toMatch(/^ +Y: "\$\{TOKEN\}"/m);
  expect(yaml).toMatch(/^ +file: \.\/z/m);
  expect(yaml).toMatch(/^ +# url: https:\/\/example\.com\/list\?key=…/m);
});

test('the YAML is a configuration with the same settings, once what is secret is put in', async () => {
  const before = await load(YAML);
  const yaml = asYaml(effectiveSettings('north', [], { ...before, file: 'o.yaml' }));
  const { config } = await load(yaml.replace('# password: "[secret]"', 'password: geheim-1'));
  expect(config.offer).toMatchObject({ ...before.config.offer, columns: expect.anything() as object });
  const { columns, guard, source, ...rest } = config.feeds['north']!;
  const own = before.config.feeds['north']!;
  expect(rest).toMatchObject({ login: 'main', priority: 100, defaults: { brand: 'BOSCH' }, schedule: own.schedule });
  expect(source).toMatchObject({ type: 'directory', settle: 5000 });
  expect(guard).toEqual({ ...before.config.logins['main']!.guard, ...own.guard });
  expect(columns).toMatchObject({ name: 3, brand: ['brand', 'marke'] });
  expect(Object.keys(config.offer.columns)).toEqual(['brand', 'oem', 'name']);
});

test('the example configuration is shown too', async () => {
  const text = readFileSync('config/offerline.yaml', 'utf8');
  const loaded = await load(text, {});
  for (const feed of Object.keys(loaded.config.feeds)) {
    const yaml = asYaml(effectiveSettings(feed, [], { ...loaded, file: 'offerline.yaml' }));
    const whole = yaml.replaceAll(/# (password|token|value): "\[secret\]"/g, '$1: x');
    expect(Object.keys((await load(whole, {})).config.feeds)).toEqual([feed]);
  }
});
