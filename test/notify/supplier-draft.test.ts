import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { supplierDraft, type DraftInput } from '../../src/notify/supplier-draft.ts';
import { openLanguage } from '../../src/wording/language/language.ts';

const MISTAKES: NonNullable<DraftInput['mistakes']> = {
  rows: 57,
  causes: [
    { cause: 'The brand is missing.', rows: 50 },
    { cause: 'The article number is missing.', rows: 7 },
  ],
  attachment: { filename: 'preise-marked.xlsx', contentType: 'application/x', content: Buffer.from('x'), note: null },
};

const INPUT: DraftInput = {
  supplier: { name: 'Rhein GmbH', email: 'list@rhein.example' },
  from: 'brakes@example.com',
  file: 'preise.csv',
  received: Date.UTC(2026, 10, 23),
  language: openLanguage('en'),
  read: 1201,
  sandbox: false,
  mistakes: MISTAKES,
  page: null,
};

async function draft(changes: Partial<DraftInput> = {}, mistakes: Partial<typeof MISTAKES> = {}) {
  const bytes = await supplierDraft({ ...INPUT, mistakes: { ...MISTAKES, ...mistakes }, ...changes });
  return { bytes: bytes.toString('latin1'), mail: await PostalMime.parse(bytes) };
}

test('says what is wrong, what to do, and that the whole list is needed', async () => {
  const { mail } = await draft();
  expect(mail.subject).toBe('preise.csv: 57 rows to correct');
  expect(mail.text).toContain('Dear Rhein GmbH,');
  expect(mail.text).toContain('57 of the 1,201 rows of your file have mistakes');
  expect(mail.text).toContain('- 50 × The brand is missing.');
  expect(mail.text).toContain('send us the complete list again, not only the corrected rows');
  expect(mail.headers).toContainEqual(expect.objectContaining({ key: 'x-unsent', value: '1' }));
});

test.each([
  ['a name with header lines', { supplier: { name: 'Rhein\r\nBcc: all@example.com', email: 'list@rhein.example' } }],
  ['a file with header lines', { file: 'a\r\nBcc: all@example.com\r\n\r\n<b>.csv' }],
  [
    'a cause with header lines',
    { mistakes: { ...MISTAKES, causes: [{ cause: 'a\r\n.\r\nBcc: all@example.com', rows: 1 }] } },
  ],
])('%s adds no header', async (_what, changes) => {
  const { bytes, mail } = await draft(changes);
  const [head] = bytes.split('\r\n\r\n');
  expect(head).not.toMatch(/^bcc:/im);
  expect(mail.bcc ?? []).toEqual([]);
  expect(mail.to).toHaveLength(1);
});

test.each(['Müller & "Söhne", <x@y.z>', 'ООО «Рейн»', '‮gnp', "O'Neil; (GmbH)"])(
  'the name %s stays one name',
  async (name) => {
    const { mail } = await draft({ supplier: { name, email: 'list@rhein.example' } });
    expect(mail.to?.map(({ address }) => address)).toEqual(['list@rhein.example']);
    expect(mail.to?.[0]?.name).toBe(name.replace('‮', '\\u{202e}'));
  },
);

test('long names of files are cut, many causes are counted', async () => {
  const causes = Array.from({ length: 9 }, (_, at) => ({ cause: `Cause ${at}.`, rows: 9 - at }));
  const { mail } = await draft({ file: `${'x'.repeat(200)}.csv` }, { rows: 1, causes });
  expect(mail.subject!.length).toBeLessThanOrEqual(78);
  expect(mail.text).toContain('and 3 more; all are in the workbook');
});

test('a trial says that it is one', async () => {
  const { mail } = await draft({ sandbox: true });
  expect(mail.subject).toBe('[SANDBOX] preise.csv: 57 rows to correct');
  expect(mail.text).toMatch(/^SANDBOX/);
});

test('a file of which no row could be read is said to be unusable', async () => {
  const { mail } = await draft({}, { rows: 0, causes: [{ cause: 'The file is empty.', rows: 1 }] });
  expect(mail.subject).toBe('preise.csv could not be used');
  expect(mail.text).toContain('Your file could not be used as it is. The attached workbook says what is wrong');
});

test('after a part of the list, the full list is asked for', async () => {
  const { mail } = await draft({ mistakes: null, read: 57 });
  expect(mail.subject).toBe('preise.csv: please send the complete list');
  expect(mail.text).toContain('It has 57 rows only and seems to be the corrected part of your list.');
  expect(mail.attachments).toEqual([]);
});

test.each([
  ['de', 'preise.csv: 600 Zeilen zu berichtigen', 'Guten Tag Rhein GmbH,', '600 von 1.201 Zeilen'],
  [
    'pl',
    'preise.csv: 600 wierszy do poprawienia',
    'Szanowni Państwo z firmy Rhein GmbH,',
    'Państwa plik zawiera 1201 wierszy',
  ],
  ['ru', 'preise.csv: исправьте 600 строк', 'Здравствуйте, Rhein GmbH!', 'В вашем файле 1 201 строка'],
])('is written in %s where the supplier reads it', async (language, subject, greeting, said) => {
  const { mail } = await draft({ language: openLanguage(language) }, { rows: 600 });
  expect(mail.subject).toBe(subject);
  expect(mail.text).toContain(greeting);
  expect(mail.text?.replaceAll('\u00a0', ' ')).toContain(said);
});

test('has the link to the page of a supplier that has one, on a line of its own', async () => {
  const link = `https://offers.example.com/supplier/open/ofs_${'a'.repeat(43)}`;
  const { mail } = await draft({ page: link });
  expect(mail.text?.split('\n')).toContain(link);
  expect(mail.text).toContain('The link is for you alone');
  expect((await draft()).mail.text).not.toContain('page');
});
