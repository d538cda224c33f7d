import { expect, test } from 'vitest';
import { openConsole } from '../support/console.ts';
import { scriptedService } from '../support/scripted-service.ts';

test('a login whose credentials are refused is resumed at its page, and can be paused as well', async () => {
  const service = await scriptedService();
  service.answer('any', () => ({ status: 401, body: 'who?' }));
  const served = await openConsole({ service: { baseUrl: service.url }, feeds: { north: {} } });
  served.shop.deliver('north', 'a.csv', 'brand;oem\nBOSCH;1\n');
  expect(await served.shop.ingest('north')).toMatchObject({ outcome: 'failed' });
  const ops = await served.signIn('ops');
  const forms = async () => [...(await ops.page('/logins/main')).matchAll(/action="\/logins\/main\/(\w+)"/gu)];
  expect((await forms()).map(([, what]) => what)).toEqual(['resume', 'pause']);
  expect((await ops.post('/logins/main/resume', { reason: 'they mended it' })).status).toBe(303);
});
