import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { serve } from '../support/http-server.ts';
import { install, type Installation } from '../support/installation.ts';
import { rawZip } from '../support/raw-zip.ts';
import { scriptedService } from '../support/scripted-service.ts';

/* Names and texts from outside with everything that a terminal obeys: none of it is written raw, and no line is forged. */

const FORGED = 'FORGED LINE';
/** Escape sequences of 7 and 8 bits, a title, a bell, a carriage return, line ends of every kind, and letters turned round. */
const EVIL = `e\u001B[2J\u001B]0;owned\u0007\u009B31m\u007F\u0008\r\n${FORGED}\n${FORGED}\u2028${FORGED}\u0085\u202Egnp.\u2066x`;
const NAME = EVIL.replaceAll('/', '');

const RAW = /(?!\n)[\p{Cc}\u202A-\u202E\u2066-\u2069\u2028\u2029]/u;

/** Why a text must not reach a terminal; empty when it may. */
function dangers(text: string): string[] {
  const raw = RAW.exec(text);
  return [
    ...(raw === null
      ? []
      : [
          `raw U+${raw[0].codePointAt(0)!.toString(16)} in ${JSON.stringify(text.slice(Math.max(0, raw.index - 60), raw.index + 20))}`,
        ]),
    ...text.split('\n').filter((line) => line.trimStart().startsWith(FORGED)),
  ];
}

async function expectSafe(shop: Installation, ...args: string[]): Promise<void> {
  const { stdout, stderr } = await shop.offerline(...args);
  const shown = args.join(' ').replaceAll(/\P{ASCII}|\p{Cc}/gu, '?');
  const silence = stdout + stderr === '' ? ['nothing was said'] : [];
  expect([shown, ...dangers(stdout), ...dangers(stderr), ...silence]).toEqual([shown]);
}

test('names of files, entries and columns, cells and texts of the service reach no terminal, log or mail raw', async () => {
  const service = await scriptedService();
  service.fate({ errors: `message\tbrand\toem\n${EVIL.replaceAll(/[\r\n\t]/g, ' ')}\tBOSCH\t1\n`, error: EVIL });
  const supplier = await serve((_, response) => response.writeHead(200).end(`<html><title>${EVIL}</title>`));
  const shop = install({
    service: { baseUrl: service.url },
    logins: { main: { coalesce: '0s', guard: { maxRejected: '100%' } } },
    feeds: {
      north: { columns: { tags: 'tags' } },
      south: {},
      west: { source: { type: 'http', url: `${supplier.url}/a.csv` } },
    },
    managers: [{ email: 'ops@example.com', when: ['always', 'problem'] }],
  });
  const table = `brand;oem;tags;"${EVIL}"\nBOSCH;1;a;b\nBOSCH;;"${EVIL}";b\n"${EVIL}";2;a;b\n`;
  const delivered = shop.deliver('north', `${NAME}.csv`, table);
  const zip = shop.deliver(
    'south',
    `${NAME}.zip`,
    rawZip([
      { name: `${NAME}1.csv`, data: table },
      { name: `${NAME}2.csv`, data: table },
    ]),
  );
  const { run } = await shop.ingest('north');
  const { run: refused } = await shop.ingest('south');
  await shop.ingest('west');
  service.mend();
  service.fate({ state: 'failed', error: EVIL });
  shop.deliver('north', 'b.csv', table.replace('BOSCH;1', 'BOSCH;9'));
  const { run: failed } = await shop.ingest('north');
  service.answer('any', { status: 500, body: EVIL });

  const asked = [
    ['show', run],
    ['show', refused],
    ['show', failed],
    ['runs'],
    ['runs', '--json'],
    ['feeds'],
    ['status'],
    ['logins'],
    ['incidents', '--all'],
    ['doctor'],
    ['trace', 'BOSCH', '1'],
    ['check', delivered],
    ['detect', delivered, zip],
    ['check', join(shop.folder, NAME)],
    ['runs', '--feed', EVIL],
    [EVIL],
    ['ingest', 'north', '--file', zip, '--wait'],
  ];
  for (const args of asked) await expectSafe(shop, ...args);
  const config = join(shop.folder, 'evil.yaml');
  writeFileSync(
    config,
    JSON.stringify({ logins: { [EVIL]: {} }, feeds: { a: { login: EVIL, [EVIL]: EVIL, source: { type: EVIL } } } }),
  );
  await expectSafe(shop, 'config', 'check', '--config', config);

  const outbox = join(shop.home, 'outbox');
  const mails = readdirSync(outbox).filter((name) => name.endsWith('.eml'));
  expect(mails.length).toBeGreaterThan(2);
  for (const name of mails) {
    const { subject = '', text = '', html = '' } = await PostalMime.parse(readFileSync(join(outbox, name)));
    expect([
      ...dangers(subject),
      ...dangers(text.replaceAll('\r\n', '\n')),
      ...dangers(html.replaceAll('\r\n', '\n')),
    ]).toEqual([]);
  }
});
