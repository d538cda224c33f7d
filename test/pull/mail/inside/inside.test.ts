import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { openInside } from '../../../../src/pull/mail/inside/inside.ts';
import { attached, mailWith, text } from '../write-mail.ts';
import { tnefWith } from './write-tnef.ts';
import { uuencoded } from './write-uuencode.ts';

const OCTETS = 'application/octet-stream';

async function shown(mail: Buffer): Promise<{ files: string[]; passedOver: string[] }> {
  const { files, passedOver } = await openInside(mail, 'mail', 'list.eml');
  return {
    files: files.map(({ path, name, bytes }) => `${path} ${name} ${Buffer.from(bytes).toString('latin1')}`),
    passedOver,
  };
}

test('files of every kind are found in a mail, and those inside them', async () => {
  const inner = mailWith([attached('deep.csv', 'd')]);
  const tnef = tnefWith([
    { title: 'in-tnef.csv', data: 't' },
    { title: 'inner.eml', data: inner },
  ]);
  const mail = mailWith([
    text(`Hello\r\n${uuencoded('in-text.csv', Buffer.from('u')).replaceAll('\n', '\r\n')}`),
    attached('winmail.dat', tnef, 'application/ms-tnef'),
    attached('prices.csv', 'a'),
    attached('prices.csv', 'fork', 'application/applefile'),
    attached(' ', 'x', 'application/x-list'),
    attached('', 'c'),
  ]);
  expect(await shown(mail)).toEqual({
    files: ['1!1 in-tnef.csv t', '1!2!1 deep.csv d', '2 prices.csv a', '5 unnamed.csv c', '6 in-text.csv u'],
    passedOver: [
      'has the resource fork of prices.csv beside it, which only a Macintosh reads',
      'has an attachment without a name (application/x-list): ask the supplier to name it',
    ],
  });
});

test('mails inside one another are opened four deep', async () => {
  let mail = mailWith([attached('deepest.csv', 'x')]);
  for (let depth = 1; depth < 4; depth++) mail = mailWith([attached(`${depth}.eml`, mail, OCTETS)]);
  expect((await shown(mail)).files).toEqual(['1!1!1!1 deepest.csv x']);
  const { files, passedOver } = await openInside(mailWith([attached('4.eml', mail, OCTETS)]), 'mail', 'list.eml');
  expect(files.map(({ path, name }) => `${path} ${name}`)).toEqual(['1!1!1!1 1.eml']);
  expect(passedOver).toEqual(['has 1.eml, which is inside too many others']);
});

test('more than 1,000 attachments are refused', async () => {
  const many = Array.from({ length: 1001 }, (_, at) => attached(`${at}.csv`, 'x'));
  expect(await shown(mailWith(many))).toEqual({
    files: [],
    passedOver: [expect.stringContaining('list.eml, which is damaged (it has more than 1000 attachments)') as string],
  });
});

test('parts without end inside one another are refused', async () => {
  const nested = Array.from(
    { length: 200 },
    (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`,
  );
  expect((await shown(Buffer.from(nested.join('')))).passedOver).toEqual([
    expect.stringContaining('its parts are more than 50 deep in one another') as string,
  ]);
});

test.each([
  ['lines', `Content-Type: text/plain\r\n\r\n${'\r\n'.repeat(100_001)}`, 'it has more than 100000 short lines'],
  [
    'parts',
    `Content-Type: multipart/mixed; boundary=a\r\n\r\n${'--a\r\n\r\n'.repeat(2001)}`,
    'it has more than 2000 parts',
  ],
  [
    'headers',
    `${Array.from({ length: 5000 }, (_, at) => `X-${at}: ${'a'.repeat(60)}\r\n`).join('')}\r\n`,
    'its headers are longer than 262144 bytes',
  ],
])('a mail of %s without end is refused', async (_, mail, sentence) => {
  const { passedOver } = await shown(Buffer.from(mail));
  expect(passedOver.join()).toMatch(new RegExp(`list.eml, which is damaged \\(.*${sentence}`, 'iu'));
});

test('a text of lines that decode to nothing is an empty file', async () => {
  const empty = `begin-base64 644 x.csv\n${'\n'.repeat(2_000_000)}====\n`;
  const { files } = await openInside(Buffer.from(empty), 'uuencode', 'list.txt');
  expect(files.map(({ name, bytes }) => [name, bytes.length])).toEqual([['x.csv', 0]]);
});

test('whatever is changed in a mail, nothing is thrown', async () => {
  const tnef = tnefWith([{ title: 'in-tnef.csv', data: 't' }]);
  const mail = mailWith([text('Hello'), attached('winmail.dat', tnef), attached('a.csv', 'a')]);
  const changes = fc.array(fc.tuple(fc.nat(mail.length - 1), fc.nat(255)), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(changes, fc.constantFrom('mail', 'tnef', 'uuencode'), async (all, holding) => {
      const changed = Buffer.from(mail);
      for (const [at, byte] of all) changed[at] = byte;
      expect((await openInside(changed, holding, 'a')).files.length).toBeLessThan(10);
    }),
    { numRuns: 300 },
  );
});
