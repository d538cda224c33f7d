import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { pullServer } from '../../../src/pull/server/pull-server.ts';
import { lacks } from '../../support/programs.ts';
import { startDovecot } from '../../support/servers/dovecot.ts';
import { trustTestTls } from '../../support/servers/vsftpd.ts';
import { pullInput } from '../pull-input.ts';
import type { Supplier } from '../server/supplier.ts';
import { sourceConformance } from '../source-conformance.ts';
import { mailLines } from './mail-lines.ts';
import { attached, mailWith } from './write-mail.ts';

const missing = lacks('dovecot');

beforeAll(trustTestTls);

/** A supplier who sends each file with a mail of its own. */
async function start() {
  const dovecot = await startDovecot({ pattern: '*' });
  const publish: Supplier['publish'] = async (name, bytes, second) =>
    dovecot.deliver(mailWith([attached(encoded(name), bytes)]), second);
  const supplier: Supplier = {
    publish,
    append: async (name, bytes) => publish(name, Buffer.concat([sent(dovecot.folder)[name]!, Buffer.from(bytes)])),
    replace: publish,
    published: async () => sent(dovecot.folder),
  };
  return { ...dovecot, supplier };
}

/** As mail programs write names. */
function encoded(name: string): string {
  return `=?utf-8?B?${Buffer.from(name).toString('base64')}?=`;
}

/** The attachments that lie in a maildir, by name. */
function sent(folder: string): Record<string, Buffer> {
  const mails = ['new', 'cur'].flatMap((box) => readdirSync(join(folder, box)).map((name) => join(folder, box, name)));
  const files = mails.map((path) => {
    const text = readFileSync(path, 'latin1');
    const [, name = ''] = /filename="=\?utf-8\?B\?([^?]*)\?="/u.exec(text) ?? [];
    const [, body = ''] = /base64\r\n\r\n([^]*?)\r\n--outer/u.exec(text) ?? [];
    return [Buffer.from(name, 'base64').toString(), Buffer.from(body, 'base64')] as const;
  });
  return Object.fromEntries(files);
}

describe.skipIf(missing)('Dovecot', () => {
  sourceConformance('mail', async () => {
    const { source, supplier, stop } = await start();
    const twin = { ...source, folder: 'Inbox' };
    return { source, twin, place: `imap://127.0.0.1:${source.port}`, ...supplier, close: stop };
  });
});

describe.skipIf(missing)('Dovecot, far away', () => {
  mailLines(start);

  test('one of ten thousand mails is found', async () => {
    const { source, supplier } = await start();
    for (let number = 0; number < 10_000; number++) await supplier.publish(`other-${number}.txt`, '');
    await supplier.publish('Цены.csv', 'x');
    expect(await pullServer({ ...source, pattern: '*.csv' }, pullInput())).toMatchObject({
      name: 'Цены.csv',
      bytes: 1,
    });
  });

  test('with a certificate that nobody vouches for is refused', async () => {
    const { source } = await start();
    // The certificate is for 127.0.0.1 and localhost.
    await expect(pullServer({ ...source, host: '127.0.0.2' }, pullInput())).rejects.toMatchObject({
      code: 'pull-failed',
    });
  });
});
