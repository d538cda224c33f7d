import type { Shown } from './folder-tree.ts';
import type { FtpStyle } from './ftp-session.ts';

/** Makes of servers, as public reports show what they write; the values are those of the folder. */
export const FTP_STYLES = {
  'Unix with SELinux': {
    list: (shown) => ['total 12', ...shown.map((entry) => unix(entry, { mark: '.' }))],
    takesOptionForName: true,
  },
  'Unix without a group': {
    list: (shown) => shown.map((entry) => unix(entry, { owner: 'ftp' })),
    ofEmpty: '450 No files found',
  },
  'Unix with commas in sizes': {
    list: (shown) => shown.map((entry) => unix(entry, { size: entry.size.toLocaleString('en') })),
    ofEmpty: '550 No such file or directory',
  },
  'Unix in Russian': { list: (shown) => shown.map((entry) => unix(entry, { language: 'ru' })) },
  'Unix without SIZE and MDTM': { list: (shown) => shown.map((entry) => unix(entry)), lacks: ['SIZE', 'MDTM'] },
  'Windows, years of two digits': { list: (shown) => shown.map((entry) => windows(entry, 2)) },
  'Windows, years of four digits': {
    list: (shown) => shown.map((entry) => windows(entry, 4)),
    lacks: ['EPSV'],
  },
  publicfile: { list: (shown) => shown.map(eplf), lacks: ['DELE', 'RNFR', 'RNTO', 'MKD'] },
  'IBM i': { list: (shown) => shown.map(ibmI) },
  OpenVMS: {
    list: (shown) => ['', 'Directory DISK$USER:[OUT]', '', ...shown.flatMap(openVms), '', totalOf(shown)],
    asked: (name) => name.replaceAll(/\^(.)/gsu, '$1'),
  },
  'z/OS': {
    list: (shown) => ['Volume Unit    Referred Ext Used Recfm Lrecl BlkSz Dsorg Dsname', ...shown.map(dataSet)],
    lacks: ['SIZE', 'MDTM', 'REST'],
    ofEmpty: '550 No data sets found.',
  },
  'MLSD in capitals': { ...mlsd(({ name, ...entry }) => `${facts(entry).toUpperCase()} ${name}`) },
  'MLSD without type': { ...mlsd((entry) => `${facts({ ...entry, kind: undefined })} ${entry.name}`) },
  'MLSD without size': { ...mlsd((entry) => `${facts({ ...entry, size: undefined })} ${entry.name}`) },
  'MLSD without size and SIZE': {
    ...mlsd((entry) => `${facts({ ...entry, size: undefined })} ${entry.name}`),
    lacks: ['SIZE'],
  },
} as const satisfies Record<string, FtpStyle>;

const TYPES = { file: '-', folder: 'd', link: 'l' };
const HALF_A_YEAR = 182 * 86_400_000;

type Columns = { mark?: string; owner?: string; size?: string; language?: string };

/** A line as `ls -l` writes it. */
export function unix(
  { name, kind, at, size: bytes }: Shown,
  { mark = '', owner = 'ftp      ftp', size = String(bytes), language = 'en' }: Columns = {},
): string {
  const month = at.toLocaleString(language, { month: 'short', timeZone: 'UTC' });
  const isRecent = Math.abs(Date.now() - at.getTime()) < HALF_A_YEAR;
  const when = isRecent ? at.toISOString().slice(11, 16) : ` ${at.getUTCFullYear()}`;
  const target = kind === 'link' ? ' -> elsewhere' : '';
  const day = String(at.getUTCDate()).padStart(2);
  return `${TYPES[kind]}rw-r--r--${mark}   1 ${owner} ${size.padStart(12)} ${month} ${day} ${when} ${name}${target}`;
}

function windows({ name, kind, size, at }: Shown, digits: 2 | 4): string {
  const [, century, year, month, day] = /^(\d\d)(\d\d)-(\d\d)-(\d\d)/u.exec(at.toISOString())!;
  const hour = at.getUTCHours();
  const [half, minute] = [hour < 12 ? 'AM' : 'PM', at.toISOString().slice(14, 16)];
  const time = `${String(hour % 12 || 12).padStart(2, '0')}:${minute}${half}`;
  const what = kind === 'file' ? String(size).padStart(20) : kind === 'folder' ? '<DIR>         ' : '<SYMLINKD>    ';
  return `${month}-${day}-${digits === 4 ? century : ''}${year}  ${time} ${what} ${name}`;
}

function eplf({ name, kind, size, at }: Shown): string {
  const what = kind === 'folder' ? '/,' : kind === 'file' ? `r,s${size},` : '';
  return `+i8388621.29609,m${Math.floor(at.getTime() / 1000)},${what}\t${name}`;
}

function ibmI({ name, kind, size, at }: Shown): string {
  const [year, month, day] = at.toISOString().slice(2, 10).split('-');
  const type = { file: '*STMF', folder: '*DIR', link: '*SYMLNK' }[kind].padEnd(10);
  const time = at.toISOString().slice(11, 19);
  return `QSECOFR ${String(size).padStart(14)} ${month}/${day}/${year} ${time} ${type} ${name}${kind === 'folder' ? '/' : ''}`;
}

/** A long name has a line of its own. */
function openVms({ name, kind, size, at }: Shown): string[] {
  const shown = `${kind === 'folder' ? `${escaped(name)}.DIR` : escapedFile(name)};1`;
  const month = at.toLocaleString('en', { month: 'short', timeZone: 'UTC' }).toUpperCase();
  const date = `${at.getUTCDate()}-${month}-${at.getUTCFullYear()} ${at.toISOString().slice(11, 19)}`;
  const rest = `${String(Math.ceil(size / 512)).padStart(6)}  ${date}  [GROUP,OWNER]  (RWED,RWED,RE,)`;
  return shown.length > 18 ? [shown, `${' '.repeat(19)}${rest}`] : [`${shown.padEnd(19)}${rest}`];
}

function totalOf({ length }: Shown[]): string {
  return `Total of ${length} files, ${length} blocks.`;
}

/** As on a volume of ODS-5: one dot begins the type, and others have a sign before them. */
function escapedFile(name: string): string {
  const { length } = name.startsWith('.') ? '' : (/^.*(?=\.)/u.exec(name)?.[0] ?? name);
  return escaped(name.slice(0, length)) + name.slice(length, length + 1) + escaped(name.slice(length + 1));
}

function escaped(name: string): string {
  return name.replaceAll('.', '^.');
}

function dataSet({ name, kind, at }: Shown): string {
  const date = at.toISOString().slice(0, 10).replaceAll('-', '/');
  return `WRKLV1 3390   ${date}  1   15  VB    256  6233  ${kind === 'file' ? 'PS ' : 'PO '} ${name}`;
}

function facts({ kind, size, at }: { kind?: Shown['kind'] | undefined; size?: number | undefined; at: Date }): string {
  const type = { file: 'file', folder: 'dir', link: 'OS.unix=slink:/etc/passwd' };
  const found = [
    ...(kind === undefined ? [] : [`type=${type[kind]}`]),
    ...(size === undefined ? [] : [`size=${size}`]),
    `modify=${at.toISOString().replaceAll(/\D/gu, '').slice(0, 14)}`,
  ];
  return `${found.join(';')};`;
}

/** A server that has MLSD, and LIST for those who ask. */
function mlsd(line: (entry: Shown) => string): FtpStyle {
  return { list: (shown) => shown.map((entry) => unix(entry)), facts: line };
}
