import { expect, test } from 'vitest';
import { manifestEntries } from '../../../src/pull/several/manifest.ts';

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
