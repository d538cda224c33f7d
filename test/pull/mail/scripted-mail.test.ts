import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { MailSource } from '../../../src/config/schema/sources/mail.ts';
import { lookAt } from '../../../src/pull/look-at.ts';
import { pull } from '../../../src/pull/pull.ts';
import { mailSource } from '../../support/servers/mail-source.ts';
import { startScriptedImap } from '../../support/servers/scripted-imap.ts';
import { pullInput } from '../pull-input.ts';
import { mailWith, attached } from './write-mail.ts';

/* Mails as servers show them that are not like Dovecot. */

/** The bytes of a section from a byte on; undefined where the server answers nothing. */
type Section = (section: string, start: number, length: number) => Buffer | undefined;

/** A server with one mail of this structure. */
async function startMail(structure: string, section: Section = () => Buffer.alloc(0)): Promise<MailSource> {
  const address = '(("Prices" NIL "prices" "supplier.example"))';
  const envelope = `(NIL "Price list" ${address} ${address} ${address} NIL NIL NIL NIL NIL)`;
  const facts = `ENVELOPE ${envelope} INTERNALDATE "01-Nov-2026 10:00:00 +0000" BODYSTRUCTURE ${structure}`;
  const answer = (socket: Socket, tag: string, line: string) => {
    const [, name, start = '0', length = '0'] = /PEEK\[([\d.]+(?:\.MIME)?|TEXT)\](?:<(\d+)\.(\d+)>)?/u.exec(line) ?? [];
    if (name === undefined) {
      const asked = line.includes('BODYSTRUCTURE') ? `${facts} BODY[HEADER.FIELDS (FROM)] {2}\r\n\r\n` : 'FLAGS ()';
      socket.write(`* 1 FETCH (UID 1 ${asked})\r\n${tag} OK Done\r\n`);
      return;
    }
    const bytes = section(name, Number(start), Number(length));
    const head = `* 1 FETCH (UID 1 BODY[${name}]<${start}> {${bytes?.length}}\r\n`;
    const found = bytes === undefined ? [] : [Buffer.from(head), bytes, Buffer.from(')\r\n')];
    socket.write(Buffer.concat([...found, Buffer.from(`${tag} OK Done\r\n`)]));
  };
  const port = await startScriptedImap({
    EXAMINE: (socket, tag) => socket.write(`* 1 EXISTS\r\n* OK [UIDVALIDITY 1] Yes\r\n${tag} OK [READ-ONLY] Done\r\n`),
    SEARCH: (socket, tag) => socket.write(`* SEARCH 1\r\n${tag} OK Done\r\n`),
    FETCH: answer,
  });
  return mailSource(port, { require: 'none', pattern: '*.csv' });
}

const BYTES = randomBytes(200_000);
const BASE64 = Buffer.from(BYTES.toString('base64').replaceAll(/.{76}/gu, '$&\r\n'));
/** A part with a name; the mail has this part only. */
const part = (parameters: string, size: number, type = '"TEXT" "CSV"', encoding = 'BASE64') =>
  `(${type} (${parameters}) NIL NIL "${encoding}" ${size} 1 NIL ("ATTACHMENT" NIL) NIL NIL)`;
const PRICES = part('"NAME" "prices.csv"', BASE64.length);

/** The section from a byte on, as servers give it that keep to what is asked. */
const piece: Section = (_, start, length) => BASE64.subarray(start, start + length);

async function taken(source: MailSource): Promise<Buffer> {
  const input = pullInput({ limits: { fileSize: 50_000_000, unpackRatio: 1000 } });
  expect(await pull(source, input)).toMatchObject({ kind: 'file', name: 'prices.csv' });
  return readFileSync(input.target);
}

test.each([
  [`"FILENAME*0*" "utf-8''%D0%9F%D1%80" "FILENAME*1*" "%D0%B0%D0%B9%D1%81" "FILENAME*2" " 1.csv "`, 'Прайс 1.csv'],
  ['"NAME*1" "cios.csv?=" "NAME*0" "=?utf-8?Q?Pr=C3=A9"', 'Précios.csv'],
  ['"NAME" "=?utf-8?B?0J/RgNCw?= =?utf-8?B?0LnRgS5jc3Y=?="', 'Прайс.csv'],
  ['"NAME" " prices.csv "', 'prices.csv'],
  ['"NAME" NIL', 'unnamed.csv'],
])('parameters %s are the name %s', async (parameters, name) => {
  const disposed = parameters.startsWith('"FILENAME');
  const structure = `("TEXT" "CSV" (${disposed ? '"X" "y"' : parameters}) NIL NIL "BASE64" 4 1 NIL ("ATTACHMENT" (${disposed ? parameters : '"SIZE" "4"'})) NIL NIL)`;
  const { files } = (await lookAt(await startMail(structure)))!;
  expect(files.map((file) => [file.name, file.decision])).toEqual([[name, 'take']]);
});

describe('an attachment is whole', () => {
  test.each<[string, string, Section]>([
    [
      'of a mail of one part',
      PRICES,
      (section, start, length) => (section === 'TEXT' ? piece('', start, length) : undefined),
    ],
    ['announced too large', part('"NAME" "prices.csv"', Math.floor(BASE64.length * 1.1)), piece],
    ['announced too small', part('"NAME" "prices.csv"', 1000), piece],
    ['in pieces shorter than what was asked for', PRICES, (_, start) => piece('', start, 10_000)],
    ['in one piece, whatever was asked for', PRICES, () => BASE64],
  ])('%s', async (_, structure, section) => {
    expect((await taken(await startMail(structure, section))).equals(BYTES)).toBe(true);
  });

  test('when a piece was missing at first', async () => {
    let asked = 0;
    const source = await startMail(PRICES, (_, start, length) =>
      (asked += 1) % 2 === 1 ? undefined : piece('', start, length),
    );
    expect((await taken(source)).equals(BYTES)).toBe(true);
  });
});

test('an attachment that ends before most of it came is worth another try', async () => {
  const source = await startMail(PRICES, (_, start, length) =>
    BASE64.subarray(start, Math.min(100_000, start + length)),
  );
  await expect(pull(source, pullInput())).rejects.toMatchObject({
    code: 'pull-failed',
    retryable: true,
    message: expect.stringContaining('ended prices.csv after 100000 bytes') as string,
  });
});

test('a mail in base64 of which the server says nothing more gives its files', async () => {
  const mail = Buffer.from(
    mailWith([attached('prices.csv', BYTES)])
      .toString('base64')
      .replaceAll(/.{76}/gu, '$&\r\n'),
  );
  const structure = `("MESSAGE" "RFC822" NIL NIL NIL "BASE64" ${mail.length} NIL NIL NIL NIL NIL)`;
  const source = await startMail(structure, (_, start, length) => mail.subarray(start, start + length));
  expect((await taken(source)).equals(BYTES)).toBe(true);
});

test('a winmail.dat of more than 32 MB is told and not asked for', async () => {
  let asked = 0;
  const source = await startMail(part('"NAME" "winmail.dat"', 60_000_000, '"APPLICATION" "MS-TNEF"'), () => {
    asked += 1;
    return undefined;
  });
  expect((await lookAt(source))!.files).toMatchObject([
    { decision: 'pass over', why: expect.stringContaining('has winmail.dat of more than 32 MB') as string },
  ]);
  expect(asked).toBe(0);
});

test('a mail inside that is larger than announced is read up to 32 MB', async () => {
  const structure = part('"NAME" "list.eml"', 1000, '"APPLICATION" "OCTET-STREAM"');
  const source = await startMail(structure, (_, __, length) => Buffer.alloc(length, 'AAAA'));
  expect((await lookAt({ ...source, pattern: '*' }))!.files).toMatchObject([
    { name: 'list.eml', decision: 'take' },
    { decision: 'pass over', why: expect.stringContaining('has list.eml of more than 32 MB') as string },
  ]);
}, 30_000);
