import { array, assert, constantFrom, integer, nat, oneof, property, stringMatching, tuple } from 'fast-check';
import { parseList } from 'basic-ftp';
import { describe, expect, test } from 'vitest';
import { readListing } from '../../../../src/pull/ftp/listing/read-listing.ts';

const NOW = Date.UTC(2026, 10, 27, 12);

function read(...lines: string[]) {
  return readListing(lines.join('\r\n'), NOW, () => undefined);
}

/** Kind, size, time by the server's clock and name of each entry, as a line. */
function shown(...lines: string[]): string[] {
  const { entries, unread } = read(...lines);
  expect(unread).toEqual([]);
  return entries.map(({ kind, size, shownAt, name }) => {
    const time = shownAt === null ? '-' : new Date(shownAt).toISOString().slice(0, 16);
    return `${kind} ${size ?? '-'} ${time} ${name}`;
  });
}

describe('Unix', () => {
  test.each([
    ['-rw-r--r--   1 ftp ftp  4 Nov 20 23:59 a b.csv', 'file 4 2026-11-20T23:59 a b.csv'],
    ['-rw-r--r--   1 ftp ftp  4 Dec 31 23:59 a.csv', 'file 4 2025-12-31T23:59 a.csv'],
    ['-rw-r--r--   1 ftp ftp  4 Feb  1  2024 a.csv', 'file 4 2024-02-01T00:00 a.csv'],
    // The dot of SELinux, the plus of access lists, the at of attributes.
    ['-rw-r--r--. 1 root root 1057 Nov 11 14:35 prices.csv', 'file 1057 2026-11-11T14:35 prices.csv'],
    ['-rw-r--r--+ 1 root root 1057 Nov 11 14:35 prices.csv', 'file 1057 2026-11-11T14:35 prices.csv'],
    ['-rw-r--r--@ 1 root root 1057 Nov 11 14:35 prices.csv', 'file 1057 2026-11-11T14:35 prices.csv'],
    ['-rw-r--r-- 1 ftp ftp 1,234,567 Nov 11 14:35 prices.csv', 'file 1234567 2026-11-11T14:35 prices.csv'],
    ['-rw-r--r--   1 owner   1234 Nov 11 14:35 no group.csv', 'file 1234 2026-11-11T14:35 no group.csv'],
    ['-rw-r--r-- 1 Domain Users 1234 Nov 11 14:35 a.csv', 'file 1234 2026-11-11T14:35 a.csv'],
    ['-rw-r--r-- 1 500 4 5 2026-11-20 10:20 a.csv', 'file 5 2026-11-20T10:20 a.csv'],
    ['-rw-r--r-- 1 u g 5 2026-11-20 10:20:30.123456789 +0100 a.csv', 'file 5 2026-11-20T10:20 a.csv'],
    ['-rw-r--r-- 1 u g 5 20.11.2026 10:20 a.csv', 'file 5 2026-11-20T10:20 a.csv'],
    ['-rw-r--r-- 1 u g 5 20 Nov 10:20 a.csv', 'file 5 2026-11-20T10:20 a.csv'],
    ['-rw-r--r-- 1 u g 5 Nov 20 10:20:30 2025 a.csv', 'file 5 2025-11-20T10:20 a.csv'],
    [' 12345  8 -rw-r--r-- 1 u g 5 Nov 20 10:20 a.csv', 'file 5 2026-11-20T10:20 a.csv'],
    ['-rw-r--r-- 1 u g 5 20. Dez 2025 preise.csv', 'file 5 2025-12-20T00:00 preise.csv'],
    ['-rw-r--r-- 1 u g 5 Mär 20 10:20 preise.csv', 'file 5 2026-03-20T10:20 preise.csv'],
    ['-rw-r--r-- 1 u g 5 20 févr. 10:20 prix.csv', 'file 5 2026-02-20T10:20 prix.csv'],
    ['-rw-r--r-- 1 u g 5 20 août 10:20 prix.csv', 'file 5 2026-08-20T10:20 prix.csv'],
    ['-rw-r--r-- 1 u g 5 ноя 20 10:20 цены.csv', 'file 5 2026-11-20T10:20 цены.csv'],
    ['-rw-r--r-- 1 u g 5 20 мая 2025 цены.csv', 'file 5 2025-05-20T00:00 цены.csv'],
    ['-rw-r--r-- 1 u g 5 paź 20 10:20 cennik.csv', 'file 5 2026-10-20T10:20 cennik.csv'],
    ['-rw-r--r-- 1 u g 5 Kas 20 10:20 fiyat.csv', 'file 5 2026-11-20T10:20 fiyat.csv'],
    ['-rw-r--r-- 1 u g 5 6月 28日 10:20 价格.csv', 'file 5 2026-06-28T10:20 价格.csv'],
    ['-rw-r--r-- 1 u g 5 11月 20 2025年 価格.csv', 'file 5 2025-11-20T00:00 価格.csv'],
    ['-rw-r--r-- 1 u g 5 Qwe 20 10:20 a.csv', 'file 5 - a.csv'],
    ['-rw-r--r-- 1 u g 5 Nov 20 10:20  two blanks.csv', 'file 5 2026-11-20T10:20  two blanks.csv'],
    ['drwxr-xr-x 2 u g 4096 Nov 20 10:20 old', 'folder 4096 2026-11-20T10:20 old'],
    ['lrwxrwxrwx 1 u g 9 Nov 20 10:20 new.csv -> old/a.csv', 'link 9 2026-11-20T10:20 new.csv'],
    ['crw-rw-rw- 1 root root 1, 3 Nov 20 10:20 null', 'other 3 2026-11-20T10:20 null'],
    ['-[RWCEAFMS] admin 2345 Nov 20 10:20 netware.csv', 'file 2345 2026-11-20T10:20 netware.csv'],
  ])('%s', (line, expected) => {
    expect(shown('total 12', line)).toEqual([expected]);
  });

  test('the sum above the files is said in any language; the folder and the one above it are no files', () => {
    expect(
      shown('insgesamt 12', 'drwxr-xr-x 2 u g 4096 Nov 20 10:20 .', '-rw-r--r-- 1 u g 5 Nov 20 10:20 a'),
    ).toHaveLength(1);
    expect(shown('итого 12', 'drwxr-xr-x 2 u g 4096 Nov 20 10:20 ..')).toEqual([]);
  });
});

test.each([
  ['11-20-26  05:03PM                 1057 a b.csv', 'file 1057 2026-11-20T17:03 a b.csv'],
  ['11-20-2026  12:03AM                 1057 a.csv', 'file 1057 2026-11-20T00:03 a.csv'],
  ['2026-11-20  05:03PM            1,234,567 a.csv', 'file 1234567 2026-11-20T17:03 a.csv'],
  ['20.11.2026  17:03            1.234.567 a.csv', 'file 1234567 2026-11-20T17:03 a.csv'],
  ['20/11/2026  17:03                 1057 a.csv', 'file 1057 2026-11-20T17:03 a.csv'],
  ['11-20-26  05:03PM       <DIR>          old', 'folder - 2026-11-20T17:03 old'],
  ['11-20-26  05:03PM       <SYMLINKD>     latest [D:\\new]', 'link - 2026-11-20T17:03 latest'],
])('Windows: %s', (line, expected) => {
  expect(shown(line)).toEqual([expected]);
});

test.each([
  ['type=file;size=4;modify=20261120103000; a b.csv', 'file 4 2026-11-20T10:30 a b.csv'],
  ['Type=FILE;Size=4;Modify=20261120103000.250; a.csv', 'file 4 2026-11-20T10:30 a.csv'],
  // It may be a folder, which the server has no size of when it is asked.
  ['modify=20261120103000;size=4; a.csv', 'file - 2026-11-20T10:30 a.csv'],
  ['type=file;modify=20261120103000; a.csv', 'file - 2026-11-20T10:30 a.csv'],
  ['type=file;size=4 no semicolon.csv', 'file 4 - no semicolon.csv'],
  ['type=file;size=4;UNIX.ownername=Domain Users; a.csv', 'file 4 - a.csv'],
  ['type=file;size=4; a=b; c.csv', 'file 4 - a=b; c.csv'],
  ['modify=20261120103000;sizd=4096; old', 'folder - 2026-11-20T10:30 old'],
  ['type=DIR;modify=20261120103000; old', 'folder - 2026-11-20T10:30 old'],
  ['type=OS.unix=slink:/out/a.csv;size=4; new.csv', 'link 4 - new.csv'],
])('MLSD: %s', (line, expected) => {
  expect(shown('type=cdir;modify=20261101000000; .', line)).toEqual([expected]);
});

test('EPLF', () => {
  expect(shown('+i8388621.48594,m1763634180,r,s280,\tprices.csv', '+i8388621.50690,m1763634180,/,\told')).toEqual([
    'file 280 2025-11-20T10:23 prices.csv',
    'folder - 2025-11-20T10:23 old',
  ]);
});

test('IBM i: objects take more than they hold, and members have no size; a date that reads two ways orders nothing', () => {
  expect(
    shown(
      'QSYS            77824 11/20/26 15:09:55 *DIR       old/',
      'NORTH           45056 11/20/26 14:19:31 *STMF      prices.csv',
      'NORTH           45056 02/03/26 14:19:31 *STMF      older.csv',
      'QPGMR           36864 26/11/20 11:03:47 *FILE      PRICES.FILE',
      'QPGMR                                   *MEM       PRICES.FILE/A.MBR',
      'QSYS            36864 11/20/26 11:03:47 *LIB       NORTH',
    ),
  ).toEqual([
    'folder - 2026-11-20T15:09 old',
    'file 45056 2026-11-20T14:19 prices.csv',
    'file 45056 - older.csv',
    'file - - PRICES.FILE',
    'file - - PRICES.FILE/A.MBR',
    'other - 2026-11-20T11:03 NORTH',
  ]);
});

test('OpenVMS: of each file its newest version, by its name alone; long names have a line of their own, signs in others a ^', () => {
  expect(
    shown(
      'Directory DISK$USER:[NORTH]',
      '',
      'PRICES.CSV;2             9/9           20-NOV-2026 07:32:04  [NORTH,OWNER]    (RWED,RWED,RWED,RE)',
      'PRICES.CSV;1             9/9           19-NOV-2026 07:32:04.12  [NORTH,OWNER]    (RWED,RWED,RWED,RE)',
      'A-VERY-LONG-NAME-OF-A-LIST.CSV;1',
      '                         5/6           20-NOV-2026 11:30:10  [NORTH,OWNER]    (RWED,RWED,RWED,RE)',
      'OLD.DIR;1                1/9            8-SEP-2026 16:09  [NORTH,OWNER]    (RWE,RWE,RE,RE)',
      '.LOGIN;1                 1/9           20-NOV-2026 07:32:04  [NORTH,OWNER]    (RWED,RWED,RWED,RE)',
      'new^.csv.part;1          1/9           20-NOV-2026 07:32:04  [NORTH,OWNER]    (RWED,RWED,RWED,RE)',
      'SECRET.CSV;1  %RMS-E-PRV, insufficient privilege or file protection violation',
      '',
      'Total of 5 files, 34/45 blocks.',
    ),
  ).toEqual([
    'file - 2026-11-20T07:32 PRICES.CSV',
    'file - 2026-11-20T11:30 A-VERY-LONG-NAME-OF-A-LIST.CSV',
    'folder - 2026-09-08T16:09 OLD',
    'file - 2026-11-20T07:32 .LOGIN',
    'file - 2026-11-20T07:32 new^.csv.part',
    'other - - SECRET.CSV',
  ]);
});

test('z/OS: data sets, and members of one', () => {
  expect(
    shown(
      'Volume Unit    Referred Ext Used Recfm Lrecl BlkSz Dsorg Dsname',
      "B10142 3390   2026/11/20  2   31  F       80    80  PS   'NORTH.PRICES.CSV'",
      'B10142 3390   2026/11/20  2   31  FB      80  3120  PO   NORTH.LISTS',
      'Migrated                                                NORTH.OLD',
      'Pseudo Directory                                        NORTH.MORE',
    ),
  ).toEqual([
    'file - 2026-11-20T00:00 NORTH.PRICES.CSV',
    'folder - 2026-11-20T00:00 NORTH.LISTS',
    'file - - NORTH.OLD',
    'folder - - NORTH.MORE',
  ]);
  expect(
    shown(
      ' Name     VV.MM   Created       Changed      Size  Init   Mod   Id',
      'PRICES    01.03 2026/09/12 2026/11/20 09:37    11    11     0 KIL001',
      'STOCK',
    ),
  ).toEqual(['file - 2026-11-20T09:37 PRICES', 'file - - STOCK']);
});

test.each([
  // In May or in December; in 2026 or in 2005.
  ['05-12-26  10:00  12 a.csv', 'file 12 - a.csv'],
  ['26-12-05  10:00  12 a.csv', 'file 12 - a.csv'],
  ['05-12-26  10:00AM  12 a.csv', 'file 12 2026-05-12T10:00 a.csv'],
  ['-rw-r--r-- 1 u g 5 05.12.2026 10:20 a.csv', 'file 5 2026-12-05T10:20 a.csv'],
  ['-rw-r--r-- 1 u g 5 May 12  2025 12.05 Preise.csv', 'file 5 2025-05-12T00:00 12.05 Preise.csv'],
  ['?--------- ? ? ? ? ? broken.csv', 'other - - broken.csv'],
  ['type=file;size=4;modify=20261301000000; a.csv', 'file 4 - a.csv'],
])('what can be read in two ways is not guessed: %s', (line, expected) => {
  expect(shown(line)).toEqual([expected]);
});

test.each(['Prices=new.csv old.csv', 'total=5 files', 'preis 2026'])('%s is no file', (line) => {
  expect(read(line)).toMatchObject({ entries: [], unread: [{ line }] });
});

test('a line that no reader knows is told with the entry above it', () => {
  const { entries, unread } = read('-rw-r--r-- 1 u g 5 Nov 20 10:20 a.csv', 'ls: b.csv: Stale file handle', 'c.csv');
  expect(unread).toEqual([
    { line: 'ls: b.csv: Stale file handle', above: entries[0] },
    { line: 'c.csv', above: entries[0] },
  ]);
  expect(read('x'.repeat(9000)).unread).toHaveLength(1);
});

test('what basic-ftp reads of Unix, Windows and MLSD is read alike', () => {
  const word = stringMatching(/^[a-z0-9_]{1,12}$/u);
  const name = stringMatching(/^[A-Za-z0-9_.()]{1,10}(?: [a-z0-9.]{1,8}){0,2}$/u).filter(
    (text) => !/^\.+$/u.test(text),
  );
  const size = nat(10 ** 12);
  const day = integer({ min: 1, max: 28 });
  const month = constantFrom('Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec');
  const clock = constantFrom('10:20', '00:00', '23:59', '2024', '1999');
  const unix = tuple(constantFrom('-', 'd'), word, word, size, month, day, clock, name).map(
    ([type, owner, group, bytes, mon, on, at, file]) =>
      `${type}rw-r--r--   1 ${owner} ${group} ${bytes} ${mon} ${on} ${at} ${file}`,
  );
  const windows = tuple(size, day, constantFrom('05:03PM', '17:03'), name).map(
    ([bytes, on, at, file]) => `11-${String(on).padStart(2, '0')}-26  ${at}       ${bytes} ${file}`,
  );
  const facts = tuple(size, constantFrom('file', 'dir'), name).map(
    ([bytes, type, file]) => `type=${type};size=${bytes};modify=20261120103000; ${file}`,
  );
  assert(
    property(oneof(unix, windows, facts), (line) => {
      const [theirs] = parseList(line);
      const { entries, unread } = read(line);
      expect(unread).toEqual([]);
      expect(entries).toMatchObject([
        { name: theirs!.name, size: theirs!.size, kind: theirs!.isFile ? 'file' : 'folder' },
      ]);
    }),
  );
});

test('no line takes long, whatever it holds', () => {
  const piece = constantFrom(
    ' ',
    ' -> ',
    ' [',
    '\u2028',
    '<JUNCTION> ',
    '1',
    '-',
    'r',
    'a=b;',
    ';',
    '=',
    '-rw-r--r--',
    '11-20-26',
    'Nov',
    '\t',
    '*STMF',
    '<DIR>',
    'A.B;1',
  );
  assert(
    property(array(piece, { maxLength: 6 }), nat(4000), (pieces, times) => {
      const line = pieces.join('').repeat(Math.max(1, times)).slice(0, 7990);
      expect(read(line, line).entries.length).toBeLessThan(3);
    }),
    { numRuns: 60 },
  );
});
