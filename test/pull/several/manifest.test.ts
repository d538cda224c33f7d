import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { manifestEntries, readManifest } from '../../../src/pull/several/manifest.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const MD5 = 'd41d8cd98f00b204e9800998ecf8427e';
const SHA256 = 'E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855';

test.each([
  ['names alone', '# today\na.csv\r\n\r\nprice list.csv\n', ['a.csv', 'price list.csv']],
  ['as md5sum writes it', `${MD5}  a.csv\n${MD5} *lists/b.csv\n`, [`a.csv md5`, `b.csv md5`]],
  ['as sha256sum writes it', `${SHA256}  price list.csv`, ['price list.csv sha256']],
  ['with sizes', 'a.csv;120\nb.csv;0\n', ['a.csv 120', 'b.csv 0']],
  ['a table with a header', `File;Size;MD5\n"a.csv";120;${MD5}\n`, ['a.csv 120 md5']],
  ['with blanks between', `a.csv 120 ${MD5}\nb.csv 7\n`, ['a.csv 120 md5', 'b.csv 7']],
  ['with a byte order mark and tabs', `\uFEFFa.csv\t120\n.\\out\\b.csv\t7`, ['a.csv 120', 'b.csv 7']],
])('a manifest is read: %s', (_what, text, expected) => {
  const found = manifestEntries(text).map(({ name, size, hash }) =>
    [name, ...(size === null ? [] : [size]), ...(hash === null ? [] : [hash.algorithm])].join(' '),
  );
  expect(found).toEqual(expected);
});

test.each([
  ['utf-8', true],
  ['utf-16le', true],
  ['utf-16be', true],
  ['utf-16le', false],
  ['windows-1251', false],
])('a manifest in %s (with a byte order mark: %s) names the same files', async (charset, addBOM) => {
  const path = join(tempFolder(), 'today.lst');
  const text = 'Файл;Размер\r\nцены 1.csv;120\r\nцены 2.csv;7\r\n';
  writeFileSync(path, iconv.encode(text, charset, { addBOM }));
  const listed = { name: 'today.lst', size: 1, mtimeMs: null };
  const entries = await readManifest({ path, bytes: 100, sha256: '', listed }, () => Promise.resolve('windows-1251'));
  expect(entries).toMatchObject([
    { name: 'цены 1.csv', size: 120 },
    { name: 'цены 2.csv', size: 7 },
  ]);
});
