import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import type { MailSource } from '../../../src/config/schema/sources/mail.ts';
import { acknowledge } from '../../../src/pull/acknowledge.ts';
import { lookAt } from '../../../src/pull/look-at.ts';
import { pull } from '../../../src/pull/pull.ts';
import type { PulledFile } from '../../../src/pull/source.ts';
import { lacks } from '../../support/programs.ts';
import { startDovecot } from '../../support/servers/dovecot.ts';
import { trustTestTls } from '../../support/servers/vsftpd.ts';
import { pullInput } from '../pull-input.ts';
import { property, tnefWith, LONG_NAME, UNICODE } from './inside/write-tnef.ts';
import { uuencoded } from './inside/write-uuencode.ts';
import { attached, type MailPart, mailWith, multipart, text } from './write-mail.ts';

const FILE = 'brand;oem\r\nБОШ;0 986\r\n';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

beforeAll(trustTestTls);

/** Names and decisions, as `pull --list` shows them. */
async function looked(source: MailSource): Promise<string[]> {
  const { files } = (await lookAt(source))!;
  return files.map(({ name, decision, why }) => (decision === 'pass over' ? `${name}: ${why}` : name));
}

async function taken(source: MailSource): Promise<{ name: string; bytes: Buffer }> {
  const input = pullInput({ limits: { fileSize: 50_000_000, unpackRatio: 1000 } });
  const { name } = (await pull(source, input)) as PulledFile;
  return { name, bytes: readFileSync(input.target) };
}

/** A mail with one attachment in several parts. */
function inside(type: string, parts: MailPart[]): MailPart {
  const body = multipart(parts, 'within').toString('latin1');
  const [head = '', ...rest] = body.split('\r\n\r\n');
  return {
    header: [head.replace('multipart/mixed', type)],
    body: Buffer.from(rest.join('\r\n\r\n'), 'latin1'),
  };
}

/** A mail as a file, in an encoding. */
function asFile(header: string[], mail: Buffer, encoding: string): MailPart {
  const written = mail.toString().replaceAll('outer', 'inner');
  const bodies: Record<string, string> = {
    base64: Buffer.from(written).toString('base64').replaceAll(/.{76}/gu, '$&\r\n'),
    'quoted-printable': written.replaceAll('=', '=3D').replaceAll('Content', 'Con=\r\ntent'),
    '8bit': written,
  };
  return { header: [...header, `Content-Transfer-Encoding: ${encoding}`], body: bodies[encoding]! };
}

describe.skipIf(lacks('dovecot'))('Dovecot', () => {
  test('of AppleDouble the file is taken, and not the resource fork', async () => {
    const { source, deliver } = await startDovecot({ pattern: '*.csv' });
    const fork = attached('prices.csv', Buffer.alloc(300, 7), 'application/applefile');
    const data = attached('prices.csv', FILE);
    deliver(mailWith([text('Hello'), inside('multipart/appledouble', [fork, data])]));
    deliver(mailWith([attached('._prices.csv', 'fork'), attached('prices.csv', `${FILE}!`)]));
    expect(await taken(source)).toEqual({ name: 'prices.csv', bytes: Buffer.from(`${FILE}!`) });
    const why = 'has the resource fork of prices.csv beside it, which only a Macintosh reads';
    expect(await looked(source)).toEqual(['prices.csv', 'prices.csv', `Price list: ${why}`, `Price list: ${why}`]);
  });

  test('blanks around names are nothing, whoever encoded them', async () => {
    const { source, deliver } = await startDovecot({ pattern: '*.csv' });
    const encoded = `=?utf-8?B?${Buffer.from(' Прайс.csv ').toString('base64')}?=`;
    const pieces =
      'attachment; filename*0*=utf-8\'\'%20%D0%9F%D1%80%D0; filename*1*=%B0%D0%B9%D1%81; filename*2=" 2.csv "';
    const words = 'attachment;\r\n filename*0="=?utf-8?Q?Pr=C3=A9";\r\n filename*1="cios.csv?="';
    deliver(mailWith([attached('  prices.csv ', 'a'), attached(encoded, 'b')]));
    deliver(
      mailWith(
        [pieces, words].map((disposition) => ({
          header: ['Content-Type: application/octet-stream', `Content-Disposition: ${disposition}`],
          body: 'c',
        })),
      ),
    );
    expect((await looked(source)).toSorted()).toEqual(['Précios.csv', 'prices.csv', 'Прайс 2.csv', 'Прайс.csv']);
  });

  test('lists without a name are called after their type, others are told', async () => {
    const { source, deliver } = await startDovecot({ pattern: '*.{csv,xlsx,txt}' });
    const part = (type: string, more: string[] = []) => ({ header: [`Content-Type: ${type}`, ...more], body: 'x' });
    const disposed = ['Content-Disposition: attachment'];
    deliver(mailWith([text('Hi'), part('text/csv'), part(XLSX), part('text/plain', disposed)]));
    deliver(mailWith([part('text/plain'), part('application/octet-stream'), part('text/html', disposed)]));
    expect((await looked(source)).toSorted()).toEqual([
      'Price list: has an attachment without a name (application/octet-stream): ask the supplier to name it',
      'Price list: has an attachment without a name (text/html): ask the supplier to name it',
      'unnamed.csv',
      'unnamed.txt',
      'unnamed.xlsx',
    ]);
  });

  test('a footer behind base64 is left out, and a damaged line is told with the mail', async () => {
    const { source, deliver } = await startDovecot();
    const bytes = randomBytes(300_000);
    const { header, body } = attached('prices.bin', bytes);
    const footer = '\r\n_______________\r\nPrices mailing list\r\nhttps://lists.example/prices\r\n';
    deliver(mailWith([{ header, body: `${String(body).replace(/=+$/u, '')}${footer}` }]));
    expect(await taken(source)).toEqual({ name: 'prices.bin', bytes });
    const lines = String(body).split('\r\n');
    deliver(
      mailWith([{ header, body: lines.toSpliced(2000, 1, '[cut by the gateway]').join('\r\n') }], { subject: 'June' }),
    );
    await expect(taken(source)).rejects.toMatchObject({
      code: 'pull-failed',
      retryable: false,
      message: expect.stringMatching(
        /^prices\.bin of the mail “June” in .* is damaged: line 2001 of it is not base64/u,
      ) as string,
    });
  });

  test.each([
    ['message/rfc822 in base64', ['Content-Type: message/rfc822'], 'base64'],
    ['message/rfc822 in quoted-printable', ['Content-Type: message/rfc822'], 'quoted-printable'],
    ['a file', ['Content-Type: application/octet-stream; name=list.eml', 'Content-Disposition: attachment'], 'base64'],
    ['a file as it is', ['Content-Type: text/plain; name="FW: list.EML"'], '8bit'],
  ])('a mail that is %s gives its attachments', async (_, header, encoding) => {
    const { source, deliver } = await startDovecot();
    const inline = { header: ['Content-Type: text/plain; name=prices.txt'], body: 'shown' };
    const mail = mailWith([text('see below'), attached('prices.csv', FILE), inline]);
    deliver(mailWith([text('forwarded'), asFile(header, mail, encoding)]));
    expect((await looked({ ...source, pattern: '*.{csv,txt}' })).toSorted()).toEqual(['prices.csv', 'prices.txt']);
    const csv = { ...source, pattern: '*.csv' };
    expect(await taken(csv)).toEqual({ name: 'prices.csv', bytes: Buffer.from(FILE) });
    const first = (await pull(csv, pullInput())) as PulledFile;
    expect(first.listed!.taken.id).toMatch(/^\d+:1:2!1$/u);
    expect(await pull(csv, pullInput({ checkpoint: first.checkpoint }))).toMatchObject({ kind: 'unchanged' });
  });

  test('a file .eml that is no mail stays a file', async () => {
    const { source, deliver } = await startDovecot();
    deliver(mailWith([attached('notes.eml', 'nothing', 'application/octet-stream')]));
    expect(await looked(source)).toEqual(['notes.eml']);
  });

  test('a uuencoded file in the text is an attachment, also of a mail of one part', async () => {
    const { source, deliver } = await startDovecot({ pattern: '*.csv' });
    const bytes = randomBytes(200_000);
    const body = `Dear all,\r\n\r\n${uuencoded('prices.csv', bytes).replaceAll('\n', '\r\n')}\r\nBest regards\r\n`;
    const head = mailWith([]).toString().split('Content-Type:')[0]!;
    deliver(`${head}\r\n${body}`);
    expect(await taken(source)).toEqual({ name: 'prices.csv', bytes });
    deliver(mailWith([text('Hi'), text(body.slice(0, 20_000))], { subject: 'Cut' }));
    expect(await looked(source)).toEqual([
      'prices.csv',
      expect.stringMatching(/^Cut: has prices\.csv in its text, which is damaged \(it has no end/u),
    ]);
  });

  test('a part that is encoded by uuencode is a file', async () => {
    const { source, deliver } = await startDovecot();
    const header = ['Content-Type: text/csv; name=prices.csv', 'Content-Transfer-Encoding: X-uuencode'];
    deliver(mailWith([{ header, body: uuencoded('prices.csv', Buffer.from(FILE)).replaceAll('\n', '\r\n') }]));
    expect(await taken(source)).toEqual({ name: 'prices.csv', bytes: Buffer.from(FILE) });
  });

  test('of many attachments with files in them the newest are opened', async () => {
    const { source, deliver } = await startDovecot({ pattern: '*.csv' });
    for (let at = 0; at <= 50; at++) {
      const tnef = tnefWith([{ title: `${at}.csv`, data: 'x' }]);
      deliver(mailWith([attached('winmail.dat', tnef, 'application/ms-tnef')], { subject: `Mail ${at}` }));
    }
    const all = await looked(source);
    expect([all.length, all[0], all[49], all[50]]).toEqual([
      51,
      '50.csv',
      '1.csv',
      'Mail 0: has winmail.dat: only the newest 50 of those are opened',
    ]);
  });

  test('winmail.dat gives its files, whatever is inside', async () => {
    const { source, deliver } = await startDovecot({ pattern: '*.csv' });
    const long = property(UNICODE, LONG_NAME, Buffer.from('Прайс.csv\0', 'utf16le'));
    const bytes = randomBytes(150_000);
    const tnef = tnefWith([
      { title: 'PRICES~1.CSV', data: bytes, properties: [long] },
      { title: 'logo.png', data: 'x' },
      { title: 'old.eml', data: mailWith([attached('older.csv', 'y')]) },
    ]);
    deliver(mailWith([text('Hello'), attached('winmail.dat', tnef, 'application/ms-tnef')]));
    expect((await looked(source)).toSorted()).toEqual([
      'logo.png: does not match the pattern',
      'older.csv',
      'Прайс.csv',
    ]);
    expect(await taken(source)).toEqual({ name: 'Прайс.csv', bytes });
    const { listed } = (await pull(source, pullInput())) as PulledFile;
    const needs = async (files: { name: string }[]) => files.find(({ name }) => name === 'older.csv') as never;
    const after = { ...source, after: 'delete' } as const;
    const sharer = { feed: 'other', source, needs };
    expect(await acknowledge(after, listed!.taken, new AbortController().signal, [sharer])).toMatchObject({
      feed: 'other',
      file: { name: 'older.csv' },
    });
  });

  test('what cannot be opened is told, and costs nothing else', async () => {
    const { source, deliver } = await startDovecot({ pattern: '*.csv' });
    const tnef = tnefWith([{ title: 'a.csv', data: 'x' }]);
    const winmail = (bytes: Buffer) => attached('winmail.dat', bytes, 'application/ms-tnef');
    const { header, body } = winmail(randomBytes(5000));
    deliver(mailWith([winmail(tnef.subarray(0, tnef.length - 5))], { subject: 'Cut' }));
    deliver(mailWith([winmail(tnefWith([]))], { subject: 'Empty' }));
    deliver(mailWith([{ header, body: String(body).replace(/\r\n/u, '\r\n*****\r\n') }], { subject: 'Damaged' }));
    deliver(mailWith([attached('prices.csv', FILE)]), 1_600_000_000);
    expect(await looked(source)).toEqual([
      'prices.csv',
      expect.stringMatching(/^Damaged: has winmail\.dat, which is damaged \(line 2 of its base64\)/u),
      'Empty: has winmail.dat, in which is no file',
      expect.stringMatching(/^Cut: has winmail\.dat, which is damaged \(it ends too early/u),
    ]);
  });
});
