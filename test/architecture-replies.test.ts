import { globSync, readFileSync } from 'node:fs';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';

/* What a peer sends is read in one way, with limits, and meets only patterns whose time grows with its length. */

/** The sandbox is a peer itself, and shares nothing with us. */
const files = globSync('src/**/*.ts').filter((file) => !file.startsWith('src/sandbox/'));
const text = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));

function holding(pattern: RegExp, among = files): string[] {
  return among.filter((file) => pattern.test(text.get(file)!)).sort();
}

test('no reply is read whole by what libraries offer for that: they know no limit', () => {
  expect(holding(/\.(?:text|json|arrayBuffer|blob|bytes|formData|dump)\(\)/u)).toEqual([]);
  expect(holding(/'(?:node:)?stream\/consumers'/u)).toEqual([]);
});

test('few places ask by HTTP, and one looks whether the built-in sandbox answers, without reading it', () => {
  expect(holding(/import \{[^}]*(?<!type )\b(?:request|fetch|stream)\b[^}]*\} from 'undici'/u)).toEqual([
    'src/access/oidc/provider.ts',
    'src/archive/s3/credentials.ts',
    'src/archive/s3/requests.ts',
    'src/notify/hooks/post.ts',
    'src/pull/http/oauth2.ts',
    'src/pull/http/request.ts',
    'src/service/http/send.ts',
  ]);
  expect(holding(/(?<![.#\w])fetch\(/u)).toEqual(['src/app/builtin-sandbox.ts']);
  expect(holding(/from 'node:https?'/u).filter((file) => !file.startsWith('src/web/'))).toEqual([]);
});

/** What touches the body of a reply, and how it is bounded there. */
const BODIES: Record<string, string> = {
  'src/archive/s3/credentials.ts': 'readReply',
  'src/archive/s3/requests.ts': 'readReply',
  'src/archive/s3/store.ts': 'a file, whose bytes are hashed by whoever saves it',
  'src/pull/http/body.ts': 'readReply; a file is counted by whoever saves it, against limits.fileSize',
  'src/pull/http/drop.ts': 'readReply',
  'src/pull/http/oauth2.ts': 'readReply',
  'src/pull/http/request.ts': 'listens to its errors',
  'src/service/http/body.ts': 'readReply',
  'src/service/http/send.ts': 'unpacks it as it is read',
  'src/service/http/refusal.ts': 'gives it to body.ts',
  'src/service/offers/upload.ts': 'gives it to body.ts',
  'src/service/call/download.ts': 'a file, counted by whoever saves it, against limits.downloadSize',
};

test('the body of a reply is touched in few places', () => {
  const peers = files.filter((file) => /^src\/(?:archive\/s3|pull|service|notify|upload)\//u.test(file));
  const touching = holding(
    /\b(?:reply|opened|answer|again|response)\.body\b|\{[^{}]*\bbody\b[^{}]*\}(?:: \w+)? = reply\b|\{ body(?:, headers)? \}: (?:Reply|\{ body)|\{ place, body \}/u,
    peers,
  );
  expect(touching.filter((file) => !(file in BODIES))).toEqual([]);
});

test('a reply that comes piece by piece is collected by readReply alone', () => {
  // Beginnings and ends of files, of so many bytes; and what is ours.
  const bounded = [
    'src/io/peers/read-reply.ts',
    'src/pull/http/encoding.ts',
    'src/pull/http/page.ts',
    'src/pull/mail/base64.ts',
    'src/pull/mail/inside/uuencode.ts',
    'src/pull/unpack/ole.ts',
    'src/pull/unpack/choose-entry.ts',
    'src/service/http/body.ts',
    'src/notify/attachment.ts',
    'src/pull/directory.ts',
  ];
  const peers = files.filter((file) =>
    /^src\/(?:archive\/s3|io\/peers\/|io\/s3|pull|service|notify|upload)/u.test(file),
  );
  expect(holding(/Buffer\.concat\(|\.on\('data'/u, peers).filter((file) => !bounded.includes(file))).toEqual([]);
});

test('libraries that read sockets themselves are told limits where they are opened', () => {
  const untold = (opening: RegExp, told: string) => holding(opening).filter((file) => !text.get(file)!.includes(told));
  expect(untold(/new ImapFlow\(/u, '...IMAP_LIMITS')).toEqual([]);
  expect(untold(/new Client\(place/u, 'maxListingBytes')).toEqual([]);
  // mime.ts writes mails and sends none.
  expect(untold(/createTransport\(\{/u, 'maxResponseSize')).toEqual(['src/notify/mime.ts']);
  expect(holding(/new (?:ImapFlow|Conversation)\(/u)).toEqual(['src/pull/mail/connect.ts']);
});

/** Where texts of peers are read. */
const MEETING = /^src\/(?:archive|pull|service|notify|upload|io|wording)\//u;

/** Patterns whose time grows faster than a text, and how long a text they meet can be. */
const EXCEPTIONS: Record<string, string> = {
  'src/wording/words.ts \\B(?=(?:\\d{3})+$)': 'a number',
  'src/wording/credentials/guessable.ts ^\\d*([\\p{L}\\p{M}]*)\\d*$': 'a credential of the configuration',
  'src/notify/subject.ts [\\s,;:—(]+$': '77 characters of a title',
};

/** Milliseconds of the processor: what is linear takes a fraction of one, what grows with the square of the longest text four times as many. */
const MOST = 25;
const LENGTHS = [24, 400, 3000, 30_000];

test('patterns that meet what a peer wrote take time that grows as its length', () => {
  const slow = files
    .filter((file) => MEETING.test(file))
    .flatMap(patternsIn)
    .filter(isSlow);
  expect(slow.map(({ file, pattern }) => `${file} ${pattern}`).filter((name) => !(name in EXCEPTIONS))).toEqual([]);
}, 120_000);

test('the probe sees what is slow, and only that', () => {
  const probe = (pattern: string) => isSlow({ file: '', pattern, flags: 'u' });
  expect(['\\s*=\\s*', 'a+$', '(a+)+b', '<title[^>]*>'].map(probe)).toEqual([true, true, true, true]);
  expect(['^\\s*=', '<title[^<>]*>', '[ab]{1,8}$', '\\s+'].map(probe)).toEqual([false, false, false, false]);
});

type Pattern = { file: string; pattern: string; flags: string };

function patternsIn(file: string): Pattern[] {
  const found: Pattern[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if ('regex' in node) found.push({ file, ...(node.regex as Omit<Pattern, 'file'>) });
    for (const inner of Object.values(node)) visit(inner);
  };
  visit(parseSync(file, text.get(file)!).program);
  return found;
}

/** Tries a pattern on long runs of what it is made of, and of what texts are made of. */
function isSlow({ pattern, flags }: Pattern): boolean {
  const expression = new RegExp(pattern, flags);
  const words = [...new Set(pattern.replaceAll(/\\./gu, '\0').match(/[\p{L}\p{N}<>"=: @-]{2,}/gu) ?? [])].slice(0, 6);
  const signs = new Set(` \n\ta0A.-"<=/,:;%\\(${pattern.replaceAll(/\\[a-zA-Z]/gu, '')}`);
  const units = [...signs, ...words, ...words.flatMap((word) => [`${word} `, `${word}a`])];
  return units.some((unit) =>
    ['', ...words].some((beginning) =>
      LENGTHS.some(
        (length) => millisecondsFor(expression, `${beginning}${unit.repeat(length / unit.length)}\0`) > MOST,
      ),
    ),
  );
}

/** The least of three times of this thread alone, since what is compiled and collected meanwhile takes some, too. */
function millisecondsFor(expression: RegExp, subject: string): number {
  let least = Infinity;
  for (let attempt = 0; attempt < 3 && least > MOST; attempt++) {
    const begun = process.threadCpuUsage();
    subject.replace(expression, '');
    const { user, system } = process.threadCpuUsage(begun);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}
