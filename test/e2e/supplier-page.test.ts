import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { beforeAll, expect, test } from 'vitest';
import { deliverAndRun, goodRows } from '../support/console-work.ts';
import { openConsole, type Client, type ConsoleUnderTest } from '../support/console.ts';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/until.ts';

let served: ConsoleUnderTest;
let ops: Client;
let run: string;

beforeAll(async () => {
  const listen = `127.0.0.1:${await freePort()}`;
  served = await openConsole({
    web: { listen, publicUrl: `http://${listen}/` },
    logins: { main: { coalesce: '0s', guard: { maxRejected: '90%' } } },
    managers: [{ email: 'brakes@example.com' }],
    feeds: {
      north: {
        notify: 'draft',
        supplier: { name: 'Nordteile', email: 'lists@nordteile.example', language: 'de', page: true },
      },
    },
  });
  ops = await served.signIn('ops');
  ({ run } = await deliverAndRun('north', `${goodRows(30, 'north')}BOSCH;\n`, ops, served));
});

/** The link in a draft to a supplier. */
async function linkIn(draft: string | Uint8Array): Promise<string> {
  const { text = '' } = await PostalMime.parse(draft);
  expect(text).toContain('Auf Ihrer eigenen Seite sehen Sie ohne Anmeldung');
  return /^http:\S+\/supplier\/open\/ofs_[\w-]{43}$/mu.exec(text)?.[0] ?? '';
}

async function opens(link: string): Promise<boolean> {
  const { status } = await served.visitor().get(new URL(link).pathname);
  return status === 200;
}

test('each mail to the supplier has a link of its own, which opens the page until all links end', async () => {
  const outbox = join(served.shop.home, 'outbox');
  const name = await until(() => readdirSync(outbox).find((file) => file.includes(run)));
  const mail = await PostalMime.parse(readFileSync(join(outbox, name)), {
    attachmentEncoding: 'arraybuffer',
    forceRfc822Attachments: true,
  });
  const attached = mail.attachments.find(({ filename }) => filename === 'north-to-supplier.eml')?.content;
  const drafted = join(served.shop.folder, 'draft.eml');
  await served.shop.offerline('supplier-mail', run, '--out', drafted);
  const downloaded = await (await ops.get(`/runs/${run}/supplier-mail.eml`)).text();
  const links = [
    await linkIn(Buffer.from(attached as ArrayBuffer)),
    await linkIn(readFileSync(drafted)),
    await linkIn(downloaded),
  ];
  expect(new Set(links).size).toBe(3);
  for (const link of links) expect(await opens(link)).toBe(true);
  const page = await ops.page('/feeds/north');
  expect(page).toContain('The supplier’s page');
  for (const text of [page, await ops.page(`/runs/${run}`), served.up().stderr()]) expect(text).not.toMatch(/ofs_/u);
  await served.shop.offerline('supplier-page', 'north', '--end');
  for (const link of links) expect(await opens(link)).toBe(false);
});

test('the audit names who took a link out of a draft, and no other site has links made', async () => {
  const address = `/runs/${run}/supplier-mail.eml`;
  const linksBy = async () => {
    const { stdout } = await served.shop.offerline('supplier-page', 'north', '--list', '--json');
    return (JSON.parse(stdout) as { by: string }[]).map(({ by }) => by);
  };
  await linkIn(await (await ops.get(address)).text());
  expect(await linksBy()).toContainEqual(expect.stringMatching(/^ops\d+$/u));
  expect(await ops.page('/audit?action=make-link')).toContain('<a href="/feeds/north">north</a>');
  const before = await linksBy();
  const elsewhere = await PostalMime.parse(await (await ops.get(address, { 'sec-fetch-site': 'cross-site' })).text());
  expect(elsewhere.text).not.toContain('/supplier/open/');
  expect(await linksBy()).toEqual(before);
});

test('whoever may only look gets no mail with a link', async () => {
  const viewer = await served.signIn('viewer');
  const draft = await PostalMime.parse(await (await viewer.get(`/runs/${run}/supplier-mail.eml`)).text());
  expect(draft.text).toContain('Nordteile');
  expect(draft.text).not.toContain('/supplier/open/');
  const [, mail = ''] = /href="(\/mails\/[^"]+)"/u.exec(await viewer.page(`/mails?run=${run}`)) ?? [];
  const refused = await viewer.get(mail);
  expect(refused.status).toBe(403);
  expect(await refused.text()).toContain('This mail can hold a link to the page of a supplier');
  expect((await ops.get(mail)).status).toBe(200);
});
