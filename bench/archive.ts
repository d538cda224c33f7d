/**
 * Counts what an archive in a bucket costs: `npm run bench:archive`. An installation with one feed and one login works on a store that counts
 * each request; the numbers do not depend on the machine. The table goes to bench/archive-results.md.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AwsClient } from 'aws4fetch';
import { startBucketS3 } from '../test/support/servers/bucket-s3.ts';

const program = fileURLToPath(new URL('../bin/offerline', import.meta.url));
const METHODS = ['PUT', 'GET', 'HEAD', 'DELETE'];

const asked: { method: string; isList: boolean }[] = [];
const { source, buckets, stop } = await startBucketS3({
  page: 1000,
  goesOn: 'token',
  escapes: 'asked',
  lacks: [],
  harm: ({ method = '', url = '' }) => void asked.push({ method, isList: url.includes('list-type=2') }),
});
const folder = await mkdtemp(join(tmpdir(), 'bench-archive-'));
const file = join(folder, 'offerline.yaml');
const home = join(folder, 'home');
const inbox = join(folder, 'inbox');
const { endpoint = '', region, bucket, auth } = source;
if (auth.type !== 'basic') throw new Error('the store has keys');
const keys = { user: auth.user, password: auth.password.reveal() };
const client = new AwsClient({ accessKeyId: keys.user, secretAccessKey: keys.password, service: 's3', region });
const lines: string[] = [];

try {
  await client.fetch(`${endpoint}/${bucket}`, { method: 'PUT' });
  mkdirSync(inbox);
  configure({ type: 's3', endpoint, region, bucket, auth: { type: 'basic', ...keys } });
  deliver('monday', 100);
  await offerline('ingest', 'north', '--wait');
  deliver('tuesday', 101);
  await take('a run that goes live', 'ingest', 'north', '--wait');
  await take('the same file again', 'ingest', 'north', '--wait', '--force');
  await take('`rerun --from validate`', 'rerun', 'latest', '--from', 'validate', '--wait');
  await take('`rerun` after the copies here are gone', 'rerun', 'latest', '--from', 'validate', '--wait', {
    forget: true,
  });
  await take('a file that did not change', 'ingest', 'north', '--wait');
  await take('`verify`', 'verify');
  await take('`prune`', 'prune');
  await take('`doctor`', 'doctor');
  const [here, there] = [
    join(folder, 'copy'),
    `s3://${keys.user}:${keys.password}@${new URL(endpoint).host}/${bucket}/copy`,
  ];
  const to = `${there}?tls=false&region=${region}`;
  await take('`archive copy` to a folder', 'archive', 'copy', '--to', here);
  await take('`archive copy` from it to another prefix', 'archive', 'copy', '--from', here, '--to', to);
  await take('the same again', 'archive', 'copy', '--from', here, '--to', to);
  await take('the same with `--size-only`', 'archive', 'copy', '--from', here, '--to', to, '--size-only');
  const text = report();
  console.log(text);
  writeFileSync(new URL('./archive-results.md', import.meta.url), text);
} finally {
  rmSync(folder, { recursive: true, force: true });
  await stop();
}

function configure(archive: object): void {
  const feeds = { north: { login: 'main', source: { type: 'directory', path: inbox, settle: '0s' } } };
  writeFileSync(file, JSON.stringify({ logins: { main: {} }, feeds, archive }));
}

function deliver(name: string, rows: number): void {
  const parts = Array.from({ length: rows }, (_, at) => `BOSCH;0986 ${1000 + at}\n`).join('');
  writeFileSync(join(inbox, `${name}.csv`), `brand;oem\n${parts}`);
}

async function offerline(...args: string[]): Promise<void> {
  const child = spawn(program, [...args, '--config', file, '--home', home], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  await once(child, 'close');
  if (child.exitCode !== 0) throw new Error(`offerline ${args.join(' ')} ended with ${child.exitCode}: ${said}`);
}

/** Counts what a command asks, and how many objects there are more. */
async function take(what: string, ...words: (string | { forget: true })[]): Promise<void> {
  const args = words.filter((word) => typeof word === 'string');
  if (args.length < words.length) rmSync(join(home, 'archive-cache'), { recursive: true });
  const before = objects();
  asked.length = 0;
  await offerline(...args);
  const counts = METHODS.map((method) => asked.filter((one) => one.method === method && !one.isList).length);
  const row = [what, ...counts, asked.filter(({ isList }) => isList).length, objects() - before];
  lines.push(`| ${row.join(' | ')} |`);
  console.error(lines.at(-1));
}

function objects(): number {
  return buckets.get(bucket)?.size ?? 0;
}

function report(): string {
  return `# What an archive in a bucket costs

\`npm run bench:archive\`: requests to a store that knows conditions, and objects that are there afterwards and were not before. One feed of
100 rows and one login; larger files cost the same, up to 64 MB each. Each command is a process, and reads first whose the archive is: one \`GET\`.

| command | PUT | GET | HEAD | DELETE | lists | new objects |
| --- | --- | --- | --- | --- | --- | --- |
${lines.join('\n')}
`;
}
