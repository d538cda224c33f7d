import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configJsonSchema } from '../../../src/config/schema/json-schema.ts';
import { runCli as offerline } from '../../support/run-cli.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const root = join(import.meta.dirname, '../../..');

test('config check says that a right configuration is right, in words and as JSON', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'right.yaml'), 'logins: { main: {} }\nfeeds: {}\n');
  const file = join(folder, 'right.yaml');
  expect(await offerline(['config', 'check', '--config', 'right.yaml'], folder)).toEqual({
    status: 0,
    stdout: '',
    stderr: `${file} is valid: 0 problems, 0 warnings.\n`,
  });
  const json = await offerline(['config', 'check', '--json'], folder, { OFFERLINE_CONFIG: 'right.yaml' });
  expect(json.status).toBe(0);
  expect(JSON.parse(json.stdout)).toEqual({ valid: true, file, problems: [], warnings: [] });
});

test('config check names every problem and ends with 2', async () => {
  const folder = tempFolder();
  const file = join(folder, 'wrong.yaml');
  writeFileSync(file, 'logins: { main: { gaurd: {} } }\nfeeds: 5\noffer: { delimiter: ";" }\n');
  const ended = await offerline(['--config', file, 'config', 'check'], folder);
  expect(ended).toEqual({
    status: 2,
    stdout:
      `${file}:1:19  logins.main.gaurd  unknown key; did you mean "guard"?\n` +
      `${file}:2:8  feeds  expected a map (key: value), found 5\n` +
      `${file}:3:21  offer.delimiter  warning: has no effect: a txt file is delimited by tabs; set offer.layout to csv, or remove it\n`,
    stderr: `${file} is not valid: 2 problems, 1 warning.\n`,
  });
  const json = await offerline(['--config', file, 'config', 'check', '--json'], folder);
  expect(json.status).toBe(2);
  expect(JSON.parse(json.stdout)).toMatchObject({
    valid: false,
    file,
    problems: [
      { file, line: 1, column: 19, path: 'logins.main.gaurd', message: 'unknown key; did you mean "guard"?' },
      { file, line: 2, column: 8, path: 'feeds' },
    ],
    warnings: [{ path: 'offer.delimiter' }],
  });
});

test('config check ends with the file that is wrong, also where that is not the configuration', async () => {
  const folder = tempFolder();
  const file = join(folder, 'right.yaml');
  writeFileSync(
    file,
    'logins: { main: {} }\nfeeds: { north: { login: main, source: { type: directory, path: . } } }\n',
  );
  writeFileSync(join(folder, 'learned.yaml'), 'feeds: { north: { ruels: [] } }\n');
  const { status, stdout, stderr } = await offerline(['--config', file, 'config', 'check'], folder);
  expect(status).toBe(2);
  expect(stdout).toContain(`${folder}/learned.yaml:1:19`);
  expect(stderr).toBe(`${folder}/learned.yaml is not valid: 1 problem, 0 warnings.\n`);
});

test('config check without a file, and with wrong arguments, ends with 2', async () => {
  const folder = tempFolder();
  const none = await offerline(['config', 'check'], folder);
  expect(none).toMatchObject({ status: 2 });
  expect(none.stdout).toContain(`${folder}/config/offerline.yaml  there is no configuration file here`);
  expect(await offerline(['config', 'chek'], folder)).toMatchObject({ status: 2 });
  expect(await offerline(['config', 'check', '--jsn'], folder)).toMatchObject({ status: 2 });
});

test('config schema prints the schema that lies beside the example', async () => {
  const { status, stdout } = await offerline(['config', 'schema'], tempFolder());
  expect(status).toBe(0);
  // When this fails: bin/offerline config schema > config/offerline.schema.json
  expect(stdout).toBe(readFileSync(join(root, 'config/offerline.schema.json'), 'utf8'));
  expect(JSON.parse(stdout)).toEqual(configJsonSchema());
});

test('the example configuration is right', async () => {
  const { status, stdout } = await offerline(['config', 'check', '--json', '--config', 'config/offerline.yaml'], root);
  expect([status, JSON.parse(stdout)]).toMatchObject([0, { valid: true }]);
});
