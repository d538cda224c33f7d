import { expect, test } from 'vitest';
import { notifyOfIncidents } from '../../../src/jobs/alerts/notify.ts';
import { writeMail } from '../../../src/jobs/alerts/write-mail.ts';
import { approveOrAsk, decline } from '../../../src/jobs/decisions/second/decide.ts';
import { settleRequests } from '../../../src/jobs/decisions/second/settle.ts';
import type { Mail } from '../../../src/notify/mail.ts';
import { by, secondWorld } from '../decisions/second/second-world.ts';

/** Users who may decide, one who may not, and what they were mailed about what waits for a second person. */
async function world() {
  const shop = await secondWorld();
  for (const name of ['anna', 'bernd']) await shop.user(name);
  await shop.user('vera', 'viewer');
  const { ctx, db } = shop;
  const mails = async () => {
    await settleRequests(ctx);
    await notifyOfIncidents(ctx);
    const rows = await db.selectFrom('mails').selectAll().orderBy('recipient').execute();
    const written: Mail[] = [];
    for (const row of rows) {
      const mail = await writeMail(row, ctx);
      if (mail?.subject.includes('second person') === true) written.push(mail);
    }
    return written;
  };
  return { ...shop, mails };
}

test('those who may agree get one mail, and no reminder; whoever asked gets none', async () => {
  const { ctx, held, pass, mails } = await world();
  await approveOrAsk(await held(), by('anna'), ctx);
  const sent = await mails();
  expect(sent.map(({ to }) => to)).toEqual(['bernd@example.com', 'boss@example.com']);
  expect(sent[0]?.subject).toBe('north: an approval is waiting for a second person');
  expect(sent[0]?.text).toContain('anna asked for it: season end.');
  expect(await mails()).toHaveLength(2);
  pass(23);
  expect(await mails()).toHaveLength(2);
});

test('after a day they get one that says that nobody agreed, and so does whoever asked', async () => {
  const { ctx, held, pass, mails } = await world();
  await approveOrAsk(await held(), by('anna'), ctx);
  await mails();
  pass(24);
  const over = (await mails()).filter(({ subject }) => subject.startsWith('Over'));
  expect(over.map(({ to }) => to)).toEqual(['anna@example.com', 'bernd@example.com', 'boss@example.com']);
  expect(over[0]?.text).toContain('Nobody agreed within a day.');
  expect(over[0]?.text).toContain('Nothing was done: what was asked about is as it was before.');
  pass(24);
  expect((await mails()).filter(({ subject }) => subject.startsWith('Over'))).toHaveLength(3);
});

test('a mail about one that was declined says who declined it', async () => {
  const { ctx, held, mails } = await world();
  const asked = await approveOrAsk(await held(), by('anna'), ctx);
  await mails();
  await decline(asked!.id, by('bernd', 'half of it is missing'), ctx);
  const over = (await mails()).find(({ subject }) => subject.startsWith('Over'));
  expect(over?.text).toContain('Declined by bernd: half of it is missing.');
});
