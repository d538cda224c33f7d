import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/load.ts';
import { effectiveSettings } from '../../../src/config/show/effective.ts';
import type { ShownAcceptance } from '../../../src/config/show/feed-columns.ts';
import type { Setting } from '../../../src/config/show/setting.ts';
import { asYaml } from '../../../src/config/show/as-yaml.ts';
import { showPath } from '../../../src/config/read/path.ts';
import { detect } from '../../../src/detect/detect.ts';
import { headerFingerprint } from '../../../src/detect/columns/accepted.ts';
import { readSettings, type ReadSettings } from '../../../src/config/schema/feed-settings.ts';
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
      url: https://example.com/q7Xb93kLm2Pz8w4R/list?key=geheim-2
      headers: { X-Key: geheim-3, Y: "\${TOKEN}", Z: { file: ./z } }
      auth: { type: bearer, token: "geheim-4 \${TOKEN}" }
`;
const ACCEPTED: ShownAcceptance[] = [
  {
    fingerprint: 'f',
    columns: [
      { key: 'oem', column: 'Cod articol', position: 2 },
      { key: 'name', column: 'Denumire', position: 4 },
      { key: 'brand', column: null, position: 1 },
    ],
    header: ['', 'Cod articol', 'Pret', 'Denumire'],
    width: 4,
    isCurrent: true,
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

async function settingsOf(feed: string, accepted: ShownAcceptance[] = []): Promise<Setting[]> {
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
  expect(from('offer.columns.brand.names[0]')).toEqual(['marke', `o.yaml:${lineOf('marke')}`]);
  expect(from('feeds.north.columns.brand')).toEqual([1, 'accepted by ana on 2026-05-04: asked\nthem']);
  expect(from('offer.columns.tags')).toEqual([null, `o.yaml:${lineOf('tags: null')}`]);
  const oems = [...settings.values()].filter(({ path, shown }) => shown && path[2] === 'columns' && path[3] === 'oem');
  expect(oems.at(-1)).toMatchObject({ value: 'Cod articol', from: 'accepted by ana on 2026-05-04: asked\nthem' });
  expect(settings.has('feeds.north.expires')).toBe(false);
});

test('what was accepted stands in the YAML; what gives way to it, or to which it gives way, is a remark', async () => {
  const yaml = asYaml(await settingsOf('north', ACCEPTED));
  expect(yaml).toMatch(/^ {8}- Cod articol +# accepted by ana on 2026-05-04: asked them$/m);
  expect(yaml).toMatch(/^ {6}name: 3 +# o\.yaml:\d+$/m);
  expect(yaml).toMatch(/^ {6}# name: Denumire +# accepted by ana .*; gives way to the configuration$/m);
  expect(yaml).toMatch(/^ {6}brand: 1 +# accepted by ana on 2026-05-04: asked them$/m);
  expect(yaml).toMatch(/^ {8}# oem: \[ oem, article, .* \] +# default; gives way$/m);
  const other = asYaml(await settingsOf('north', [{ ...ACCEPTED[0]!, isCurrent: false }]));
  expect(other).toMatch(/^ {8}# oem: Cod articol +# accepted by ana .*; for files with another header$/m);
  expect(other).not.toMatch(/^ {6}brand: 1/m);
});

/** A feed that people have accepted columns for, and the same in a configuration alone. */
test.each([
  { what: 'names', header: 'Xa;Xb;Preis', oem: 2, written: { brand: ['Xa'], oem: ['Xb'] } },
  { what: 'a name that another column has as well', header: 'Xa;Preis;Preis', oem: 3, written: { oem: 3 } },
  {
    what: 'a name beside one that is known by default',
    header: 'Xa;Artikel;OEM',
    oem: 2,
    written: { oem: ['Artikel'] },
  },
  { what: 'a default name of the same column first', header: 'Xa;OEM;Xb', oem: 3, written: { brand: ['Xa'], oem: 3 } },
  { what: 'a default name of another column', header: 'Xa;Name;Xb', oem: 2, written: { brand: ['Xa'], oem: 2 } },
  { what: 'positions', header: '', oem: 2, written: { brand: 1, oem: 2 } },
])('accepted columns are pasted as $what', async ({ header, oem, written }) => {
  const rows = 'Qorvax;QX 100;ZM-200\nZelmat;QX 300;ZM-400\nQorvax;QX 500;ZM-600\n';
  const folder = tempFolder();
  const list = join(folder, 'list.csv');
  writeFileSync(list, header === '' ? rows : `${header}\n${rows}`);
  const names = header.split(';');
  const at = (key: string, position: number) => ({ key, column: names[position - 1] || null, position });
  const by = { run: 'R1', who: 'ana', reason: 'asked', at: 0 };
  const before = await load(
    `logins: { main: {} }\nfeeds: { north: { login: main, source: { type: directory, path: . } } }`,
  );
  const { columns, width } = await detect(list, readSettings(before.config, 'north'));
  const fingerprint = headerFingerprint({ header: columns, width });
  const accepted = { ...by, fingerprint, columns: [at('brand', 1), at('oem', oem)] };
  const shown = [{ ...accepted, header: columns, width, isCurrent: true }];
  const after = await load(asYaml(effectiveSettings('north', shown, { ...before, file: 'o.yaml' })));
  expect(after.warnings).toEqual([]);
  expect(after.config.feeds['north']!.columns).toMatchObject(written);
  const places = async (settings: ReadSettings) =>
    (await detect(list, settings)).mapping.filter(({ sure }) => sure).map(({ key, position }) => `${key} ${position}`);
  expect(await places(readSettings(after.config, 'north'))).toEqual(
    await places(readSettings(before.config, 'north', [accepted])),
  );
});

test('nothing secret is shown', async () => {
  for (const feed of ['north', 'web']) {
    const settings = await settingsOf(feed);
    expect(JSON.stringify(settings) + asYaml(settings)).not.toMatch(/geheim|q7Xb93/);
  }
  const yaml = asYaml(await settingsOf('web'));
  expect(yaml).toMatch(/^ +# X-Key: "\[secret\]"/m);
  expect(yaml).toMatch(/^ +Y: "\$\{TOKEN\}"/m);
  expect(yaml).toMatch(/^ +file: \.\/z/m);
  expect(yaml).toMatch(/^ +# url: https:\/\/example\.com\/…\/list\?key=…/m);
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
  expect(columns).toEqual({ name: 3, oem: ['Kat-Nr', 'Nr, alt'] });
  expect(readSettings(config, 'north').columns).toEqual(readSettings(before.config, 'north').columns);
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
