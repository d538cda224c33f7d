import { expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/load.ts';
import { configFile } from '../config-file.ts';

const WRITTEN = `
logins:
  main: {}
feeds:
  north:
    login: main
    source: { type: directory, path: ./nowhere, on: [nas] }
worker: { name: written, serves: [nas] }
`;

function loaded(env: NodeJS.ProcessEnv = {}, worker?: { name?: string; serves?: string }) {
  return loadConfig({ file: configFile(WRITTEN), env, worker });
}

test('a worker is called and serves what the command line, the environment, else the configuration says', async () => {
  expect((await loaded()).config.worker).toMatchObject({ name: 'written', serves: ['nas'] });
  const env = { OFFERLINE_WORKER_NAME: 'set', OFFERLINE_WORKER_SERVES: ' vpn, lab,vpn,' };
  expect((await loaded(env)).config.worker).toMatchObject({ name: 'set', serves: ['vpn', 'lab'] });
  const asked = { name: 'asked', serves: 'x' };
  expect((await loaded(env, asked)).config.worker).toMatchObject({ name: 'asked', serves: ['x'] });
  const none = { OFFERLINE_WORKER_NAME: '', OFFERLINE_WORKER_SERVES: '' };
  expect((await loaded(none)).config.worker).toMatchObject({ name: 'written', serves: ['nas'] });
  expect((await loaded({}, { serves: '' })).config.worker.serves).toEqual([]);
});

test.each([
  [{ OFFERLINE_WORKER_NAME: 'a b' }, /OFFERLINE_WORKER_NAME[^]*expected a name of letters[^]*found "a b"/u],
  [{ OFFERLINE_WORKER_SERVES: 'nas;vpn' }, /OFFERLINE_WORKER_SERVES[^]*labels with commas in between/u],
])('a variable that is wrong is named: %j', async (env, said) => {
  await expect(loaded(env)).rejects.toMatchObject({ code: 'config', message: expect.stringMatching(said) as string });
});

test.each([
  [{ name: '../x' }, '--name: expected a name of letters'],
  [{ serves: 'a,\u001B[2J' }, '--serves: labels with commas in between: expected a name of letters'],
  [{ name: 'n'.repeat(10_000) }, `found "${'n'.repeat(80)}…".`],
])('an option that is wrong is refused: %j', async (worker, said) => {
  await expect(loaded({}, worker)).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining(said) as string,
  });
});

test('a folder that other workers serve is not missed here', async () => {
  const missed = ({ warnings }: Awaited<ReturnType<typeof loaded>>) =>
    warnings.filter(({ message }) => message.includes('does not exist yet')).length;
  expect(missed(await loaded())).toBe(1);
  expect(missed(await loaded({ OFFERLINE_WORKER_SERVES: 'vpn' }))).toBe(0);
});
