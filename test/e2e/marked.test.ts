import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import exceljs from 'exceljs';
import iconv from 'iconv-lite';
import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { install, type Installation } from '../support/installation.ts';
import { readBook } from '../support/marked-book.ts';
import { sandboxForTest } from '../support/sandbox.ts';

const LIST = [
  'Preisliste;;;;',
  'Marke;Artikelnummer;Bezeichnung;Preis;Notiz',
  'BOSCH;0986424797;Bremsscheibe für Österreich;12,50;',
  'ATE;;Bremsbelag "groß";00012;=1+1',
  'NONSUCH;00123;Sensor;5;01.03.2026',
  'MANN;1,23E+11;Filter;7;',
  'TRW;GDB1330;Belag;8,10;x',
].join('\r\n');

const WRONG = { logins: { main: { coalesce: '0s', guard: { maxRejected: '90%' } } } };

async function shopWith(more: object = {}, feed: object = {}): Promise<Installation> {
  const service = await sandboxForTest();
  return install({ service: { baseUrl: service.url }, ...WRONG, feeds: { north: feed }, ...more });
}

test('a supplier gets its own rows back with the mistakes marked, also those that the service rejected', async () => {
  const shop = await shopWith();
  shop.deliver('north', 'preise.csv', iconv.encode(LIST, 'windows-1252'));
  const { run } = await shop.ingest('north');
  const out = join(shop.folder, 'marked.xlsx');
  expect(await shop.offerline('report', run, '--format', 'xlsx', '--out', out)).toMatchObject({ status: 0 });
  const [first, rows] = await readBook(out);
  expect(first!.name).toBe('Read me');
  expect(first!.rows.slice(1, 4).map(([sentence]) => sentence)).toEqual([
    '3 of the 5 rows of your file have mistakes, so they are not offered, or not as you meant them.',
    expect.stringContaining('red cells cost the row, yellow ones are doubtful'),
    expect.stringContaining('send the complete list again'),
  ]);
  expect(first!.rows.slice(6).map(([cause, , column, count, place]) => [cause, column, count, place])).toEqual([
    ['The article number is missing.', 'Artikelnummer', '1', 'line 4'],
    ['A spreadsheet has shortened this number, and its last digits are lost.', 'Artikelnummer', '1', 'line 6'],
    ['Our parts search does not accept this row: Unknown brand: …', 'Marke', '1', 'line 5'],
  ]);
  expect(rows).toEqual({
    name: 'preise',
    rows: [
      ['Marke', 'Artikelnummer', 'Bezeichnung', 'Preis', 'Notiz'],
      ['ATE', '', 'Bremsbelag "groß"', '00012', '=1+1'],
      ['NONSUCH', '00123', 'Sensor', '5', '01.03.2026'],
      ['MANN', '1,23E+11', 'Filter', '7'],
    ],
    marks: [
      {
        at: 'B2',
        text: '',
        color: 'red',
        comment: 'The article number is missing.\nWrite the article number.\n\nLine 4 of your file',
      },
      expect.objectContaining({ at: 'A3', text: 'NONSUCH', color: 'red' }),
      expect.objectContaining({ at: 'B4', text: '1,23E+11', color: 'red' }),
    ],
  });
});

test('rows of a workbook are found again by sheet and row', async () => {
  const shop = await shopWith({}, { sheet: 'all' });
  const book = new exceljs.Workbook();
  const header = ['brand', 'oem', 'name'];
  book.addWorksheet('Brakes').addRows([['Brakes 2026'], header, ['BOSCH', 'B1', 'Disc'], ['NONSUCH', '7', 'Disc']]);
  book.addWorksheet('Filters/2026'.replace('/', '-')).addRows([header, ['MANN', 'W 712', 'Oil'], ['', 'X5', 'Air']]);
  shop.deliver('north', 'list.xlsx', Buffer.from(await book.xlsx.writeBuffer()));
  const { run } = await shop.ingest('north');
  const { stdout } = await shop.offerline('report', run, '--format', 'xlsx');
  const [, brakes, filters] = await readBook(stdout.trim());
  expect(brakes).toMatchObject({ name: 'Brakes', rows: [header, ['NONSUCH', '7', 'Disc']], marks: [{ at: 'A2' }] });
  expect(filters).toMatchObject({ name: 'Filters-2026', rows: [header, ['', 'X5', 'Air']], marks: [{ at: 'A2' }] });
  expect(filters!.marks[0]!.comment).toContain('Row 3 of the sheet Filters-2026');
});

test('without a mistake, without its delivery or without rows there is nothing to mark, and that is said', async () => {
  const shop = await shopWith();
  shop.deliver('north', 'a.csv', 'brand;oem\nBOSCH;1\nATE;2\n');
  const clean = await shop.ingest('north');
  const said = await shop.offerline('report', clean.run, '--format', 'xlsx');
  expect(said).toMatchObject({ status: 2, stdout: '' });
  expect(said.stderr).toContain(`Run ${clean.run} has no row with a mistake, so there is nothing to mark.`);

  shop.deliver('north', 'b.csv', '%PDF-1.7 this is no list');
  const unread = await shop.ingest('north');
  expect((await shop.offerline('report', unread.run, '--format', 'xlsx')).stderr).toContain(
    'has read no rows of a file',
  );

  shop.deliver('north', 'c.csv', 'brand;oem\nBOSCH;1\nATE;2\nMANN;\n');
  const wrong = await shop.ingest('north');
  const archive = join(shop.home, 'archive');
  for (const name of readdirSync(archive, { recursive: true, encoding: 'utf8' }))
    if (name.endsWith(wrong.delivery!.sha256)) writeFileSync(join(archive, name), 'damaged');
  const gone = await shop.offerline('report', wrong.run, '--format', 'xlsx');
  expect(gone).toMatchObject({ status: 2 });
  expect(gone.stderr).toContain('has no archived delivery any more');
});

test('a draft to the supplier goes with the mail to the manager, with the CSV in the supplier’s charset', async () => {
  const supplier = { name: 'Nord, "Teile" <x@y.z> & Söhne', email: 'list@nord.example', timezone: 'Europe/Berlin' };
  const shop = await shopWith(
    { managers: [{ email: 'brakes@example.com', when: ['always'] }] },
    { supplier, notify: 'draft' },
  );
  shop.deliver('north', 'preise.csv', iconv.encode(LIST, 'windows-1252'));
  const { run } = await shop.ingest('north');
  const outbox = join(shop.home, 'outbox');
  const [name] = readdirSync(outbox);
  const mail = await PostalMime.parse(readFileSync(join(outbox, name!)), {
    attachmentEncoding: 'arraybuffer',
    forceRfc822Attachments: true,
  });
  expect(mail.attachments.map(({ filename, mimeType }) => [filename, mimeType])).toEqual([
    [`north-${run}.csv`, 'text/csv'],
    ['preise-marked.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    ['north-to-supplier.eml', 'message/rfc822'],
  ]);
  const [csv, workbook, draft] = mail.attachments.map(({ content }) => Buffer.from(content as ArrayBuffer));
  expect(iconv.decode(csv!, 'windows-1252')).toMatch(
    /^kind;code;severity;.*\r\nissue;oem-empty;.*;"Bremsbelag ""groß""";00012;/s,
  );

  const unsent = await PostalMime.parse(draft!);
  expect(unsent.to).toEqual([{ name: supplier.name, address: supplier.email }]);
  expect(unsent.from).toMatchObject({ address: 'brakes@example.com' });
  expect(unsent.subject).toBe('preise.csv: 3 rows to correct');
  expect(unsent.headers).toContainEqual(expect.objectContaining({ key: 'x-unsent', value: '1' }));
  expect(unsent.text).toContain('send us the complete list again');
  expect(Buffer.from(unsent.attachments[0]!.content as ArrayBuffer).equals(workbook!)).toBe(true);

  const out = join(shop.folder, 'to.eml');
  expect(await shop.offerline('supplier-mail', run, '--out', out)).toMatchObject({ status: 0 });
  const written = await PostalMime.parse(readFileSync(out));
  expect(written).toMatchObject({ to: [{ address: supplier.email }], subject: 'preise.csv: 3 rows to correct' });
  expect(written.from).toBeUndefined();
});

test('no draft without an address', async () => {
  const shop = await shopWith();
  shop.deliver('north', 'a.csv', LIST);
  const { run } = await shop.ingest('north');
  const refused = await shop.offerline('supplier-mail', run);
  expect(refused).toMatchObject({ status: 2, stdout: '' });
  expect(refused.stderr).toContain('Set feeds.north.supplier.email in the configuration.');
  shop.configure({ ...WRONG, feeds: { north: { notify: 'draft', supplier: { timezone: 'Mars/Olympus' } } } });
  const { stdout, stderr } = await shop.offerline('config', 'check');
  expect(stdout + stderr).toContain('"draft" needs an address: set feeds.north.supplier.email');
  expect(stdout + stderr).toContain('unknown time zone "Mars/Olympus"');
});

test('cells of a hostile file stay texts', async () => {
  const shop = await shopWith();
  const cells = ['=HYPERLINK("http://evil")', '<script>alert(1)</script>', '\u202Egnp.exe', '-1+cmd|x!A1'];
  mkdirSync(join(shop.folder, 'inbox'), { recursive: true });
  const quoted = cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(';');
  shop.deliver(
    'north',
    '[odd]:*name?.csv'.replaceAll(/[*?:]/g, "'"),
    `brand;oem;a;b;c;d;e\nBOSCH;1;x;x;x;x;x\n;9;${quoted}\n`,
  );
  const { run } = await shop.ingest('north');
  const { stdout } = await shop.offerline('report', run, '--format', 'xlsx');
  const [, sheet] = await readBook(stdout.trim());
  expect(sheet!.rows[1]).toEqual(['', '9', ...cells]);
});
