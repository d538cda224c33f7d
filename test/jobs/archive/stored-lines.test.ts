import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { storedLines } from '../../../src/jobs/archive/stored-lines.ts';
import { writeMail } from '../../../src/jobs/alerts/write-mail.ts';
import { createRun, decideRun, updateRun } from '../../../src/ledger/runs/runs.ts';
import type { MailRow } from '../../../src/ledger/schema/schema.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { contextFor } from '../../upload/upload-world.ts';
import { found } from '../../support/reasons.ts';

type Line = { message: string };

async function read(content: string | null, most = Infinity) {
  const path = join(tempFolder(), 'issues');
  if (content !== null) writeFileSync(path, content);
  const sha256 = createHash('sha256')
    .update(content ?? '')
    .digest('hex');
  const file = { sha256, unverifiedPath: path };
  const unreadable = new Set<string>();
  const messages: string[] = [];
  for await (const { message } of storedLines<Line>({ run: 'r1', what: 'issues', file }, unreadable)) {
    messages.push(message);
    if (messages.length === most) break;
  }
  return { messages, said: [...unreadable].map((text) => text.replace(path, 'PATH')) };
}

const RERUN = '"offerline rerun r1 --from validate" reads the delivery again.';

test('lines that can be read are read', async () => {
  expect(await read('{"message":"a"}\n{"message":"b"}\n')).toEqual({ messages: ['a', 'b'], said: [] });
});

test.each([
  ['one line', 'nonsense', `Line 2 of the issues file PATH cannot be read and is left out. ${RERUN}`],
  ['a value of another kind', '12', `Line 2 of the issues file PATH cannot be read and is left out. ${RERUN}`],
  [
    'lines, half of which were overwritten',
    'e":"x"}\n{"message":"c"}\n{"mess',
    `2 lines, the first of them line 2, of the issues file PATH cannot be read and are left out. ${RERUN}`,
  ],
])('what cannot be read is said once: %s', async (_, damage, said) => {
  const { messages, said: found } = await read(`{"message":"a"}\n${damage}\n{"message":"b"}\n`);
  expect(messages).toEqual(damage.includes('"c"') ? ['a', 'c', 'b'] : ['a', 'b']);
  expect(found).toEqual([said]);
});

test('it is said also where nobody reads on', async () => {
  expect(await read('nonsense\n{"message":"a"}\n{"message":"b"}\n', 1)).toMatchObject({
    messages: ['a'],
    said: [expect.stringContaining('Line 1')],
  });
});

test('a file that is gone is said', async () => {
  const { messages, said } = await read(null);
  expect(messages).toEqual([]);
  expect(said).toEqual([
    expect.stringMatching(/^The archive file PATH is missing.*"offerline rerun r1 --from validate"/),
  ]);
});

test('a mail shows the issues that can be read, and says what could not', async () => {
  const ctx = await contextFor('http://127.0.0.1:9');
  const { db } = ctx.ledger;
  const asked = { feed: 'north', login: 'main', cause: 'manual', options: {}, sandbox: false } as const;
  const run = await createRun(db, { ...asked, now: 1 });
  const file = join(tempFolder(), 'issues');
  const issue = {
    code: 'brand-empty',
    severity: 'error',
    line: 3,
    column: 'brand',
    value: '',
    message: 'It is empty.',
  };
  writeFileSync(file, `nonsense\n${JSON.stringify(issue)}\n`);
  const { sha256 } = await ctx.archive.put(file);
  await updateRun(db, run, { issues: { 'brand-empty': 2 }, issues_sha: sha256 });
  await decideRun(db, run, { outcome: 'held', cause: 'guard', reason: found('too many rows were rejected'), now: 2 });
  const about = { of: 'run', run, outcome: 'held' } as const;
  const mail = await writeMail({ recipient: 'brakes@example.com', about, at: 3 } as MailRow, ctx);
  const text = mail?.text.replaceAll(/\s+/g, ' ');
  expect(text).toContain('The brand is missing.');
  expect(text).toContain('Some of the findings can no longer be read');
});
