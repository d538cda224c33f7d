import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { liveShop } from '../support/bad-input.ts';

test('a digest says how the supplier stands after real deliveries, and comes once', async () => {
  const { service, shop } = await liveShop();
  const at = new Date().toISOString().slice(11, 16);
  const boss = { email: 'boss@example.com', when: ['daily'], language: 'de' };
  shop.configure({ service: { baseUrl: service.url }, managers: [boss], mail: { daily: { at, timezone: 'UTC' } } });
  const digests = async () => {
    const outbox = join(shop.home, 'outbox');
    const names = readdirSync(shop.home).includes('outbox') ? readdirSync(outbox) : [];
    return Promise.all(names.map((name) => PostalMime.parse(readFileSync(join(outbox, name)))));
  };
  await shop.ingest('north');
  shop.deliver('north', '2.csv', 'oem;name\n1;Pads\n');
  await shop.ingest('north');
  const mails = await digests();
  expect(mails.map(({ to }) => to?.[0]?.address)).toEqual(['boss@example.com']);
  const [mail] = mails;
  expect(mail?.subject).toContain('Ihr Lieferant: alles in Ordnung');
  expect(mail?.text).toContain('- north: 2 Teile online [####################]');
  expect(mail?.html).toContain('lang="de"');
});
