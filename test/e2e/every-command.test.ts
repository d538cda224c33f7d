import { beforeAll, expect, test } from 'vitest';
import { goodFile } from '../support/bad-input.ts';
import { install, type Installation } from '../support/installation.ts';

// Other tests play commands in their own process: here each of them is a program of its own, and answers the same.

const WHY = ['--reason', 'a test'];

let shop: Installation;
let run: string;

beforeAll(async () => {
  shop = install({ managers: [{ email: 'brakes@example.com' }], feeds: { north: {}, south: {} } });
  shop.deliver('north', 'a.csv', goodFile('A'));
  ({ run } = await shop.ingest('north'));
});

/** Commands whose answer is the same again; RUN is the run of north. */
const ASKING = [
  'detect inbox/north/a.csv --json',
  'check inbox/north/a.csv',
  'check nope.csv --json',
  'config check',
  'config show north',
  'config diff',
  'rules north',
  'config schema',
  'pull north --list',
  'runs --json',
  'show RUN --json',
  'report RUN',
  'report RUN --format csv --out -',
  'supplier-mail RUN',
  'mails --json',
  'mails nothing',
  'trace BOSCH A-1 --json',
  'compare RUN RUN',
  'explain held',
  'feeds',
  'logins',
  'incidents',
  'incidents list --all --json',
  'incidents take nothing --as anna',
  'incidents give nothing --to anna',
  'incidents note nothing text',
  'incidents quiet nothing --until 2h',
  'incidents release nothing',
  'incidents tkae',
  'scorecard north',
  'hooks list',
  'hooks test nowhere',
  'service',
  'dossier main --offline --out dossiers --json',
  'dossier nothing --offline',
  'expect north',
  'expect nowhere',
  'findability north --last --json',
  'findability nowhere',
  'propose north --json',
  'propose --take 1',
  'rollback main --list',
  'verify',
  'migrate --check --json',
  'archive copy --to inbox',
  'backup nowhere --list',
  'restore --json',
  'prune --dry-run',
  'user list',
  'token list',
  'supplier-page north',
  'supplier-page north --list --json',
  'api',
  'completion bash',
  'ingest nowhere --wait',
  'rerun nothing',
  'approve RUN --reason x',
  'reject RUN --reason x',
  'requests --json',
  'requests agree nothing --reason x',
  'requests decline nothing --reason x --as anna',
  'resolve nothing --as lost --reason x',
  'release north --reason x',
  'nope',
];

test.each(ASKING)('%s answers alike as a program and in this process', async (words) => {
  const args = words.split(' ').map((word) => (word === 'RUN' ? run : word));
  const started = await shop.start(...args).ended;
  expect(withoutTimes(started)).toEqual(withoutTimes(await shop.offerline(...args)));
});

/** The answer without what depends on its moment: times, and the widths of columns that hold them. */
function withoutTimes({ status, stdout, stderr }: { status: number | null; stdout: string; stderr: string }) {
  const still = (text: string) =>
    text
      .replaceAll(/"time":\d+|\d+ (?:ms|s|seconds?)\b|\d\d:\d\d:\d\d(?:\.\d+)?/g, '…')
      .replaceAll(/(?<=\S) {2,}/g, '  ');
  return { status, stdout: still(stdout), stderr: still(stderr) };
}

test.each([
  ['pause', 'south', ...WHY],
  ['resume', 'south', ...WHY],
  ['rerun', 'latest:north', '--from', 'validate', '--wait'],
  ['ingest', 'north', '--wait', '--json'],
  ['status'],
  ['doctor'],
  ['token', 'add', 'robot', '--role', 'viewer'],
  ['init', 'inbox/north', '--no-rehearse', '--config', 'new.yaml'],
])('%s does its work as a program', async (...args) => {
  const { status, stderr } = await shop.start(...args).ended;
  expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
});

test('every command is started here, or by the tests of what stays: up, worker, sandbox, and of passwords: user', async () => {
  const { stdout } = await shop.offerline('--help');
  const commands = [...(/Commands:\n([^]*?)\n\n/u.exec(stdout)?.[1] ?? '').matchAll(/^ {2}([a-z][a-z-]*)/gmu)].map(
    ([, name]) => name!,
  );
  const started = ASKING.map((words) => words.split(' ')[0]!);
  const others = [
    'up',
    'worker',
    'sandbox',
    'help',
    'pause',
    'resume',
    'release',
    'rerun',
    'status',
    'doctor',
    'init',
    'rollback',
  ];
  expect(commands.filter((name) => !started.includes(name) && !others.includes(name))).toEqual([]);
});
