import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectNoSecret, liveShop } from '../support/bad-input.ts';

test('the same bad bytes again get the same answer, but no second mail; another incident gets one', async () => {
  const { shop, expectUntouched } = await liveShop({ managers: [{ email: 'ops@example.com', when: ['problem'] }] });
  const mails = () => readdirSync(join(shop.home, 'outbox'));
  shop.deliver('north', '2.csv', 'oem;name\n1;Pads\n');
  const first = await shop.ingest('north');
  const again = await shop.ingest('north');
  expect(again).toMatchObject({ outcome: 'rejected', status: 3, reason: first.reason });
  expect(mails()).toHaveLength(1);
  shop.deliver('north', '3.csv', '');
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'rejected', reason: '3.csv is empty.' });
  expect(mails()).toHaveLength(2);
  await expectUntouched();
});

test('a mail server that is down: the run is live all the same, its timeline says how to send the mail later', async () => {
  const env: NodeJS.ProcessEnv = { SMTP_URL: 'smtp://shop:hunter2@127.0.0.1:1' };
  const { shop } = await liveShop({ managers: [{ email: 'ops@example.com', when: ['always'] }] }, env);
  const [{ run } = { run: '' }] = JSON.parse((await shop.offerline('runs', '--json')).stdout) as { run: string }[];
  const shown = await shop.offerline('show', run);
  expect(shown.stdout).toContain(
    'no mail to ops@example.com yet: The mail server 127.0.0.1:1 did not accept the mail: connect ECONNREFUSED',
  );
  expect(shown.stdout).toContain(`offerline rerun ${run} --from report`);
  expectNoSecret(shop, ['hunter2'], shown);

  delete env['SMTP_URL'];
  const again = await shop.offerline('rerun', run, '--from', 'report', '--wait');
  expect(again.status).toBe(0);
  expect(readdirSync(join(shop.home, 'outbox'))).toHaveLength(1);
});
