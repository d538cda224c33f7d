import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Parser } from 'htmlparser2';
import { marked } from 'marked';
import PostalMime from 'postal-mime';
import { beforeAll, expect, test } from 'vitest';
import { payloadSchema, type Told } from '../../src/notify/hooks/payload.ts';
import { csvReaders } from '../support/csv-readers.ts';
import { endOf } from '../support/console-work.ts';
import { openConsole, type Client, type ConsoleUnderTest } from '../support/console.ts';
import { freePort } from '../support/free-port.ts';
import { HOOK_SECRET, receiveHooks, type Receiver } from '../support/hook-receiver.ts';
import { RUNS } from '../support/poisoned-cells.ts';
import { readZip } from '../support/read-zip.ts';
import { scriptedService } from '../support/scripted-service.ts';
import { openPage } from '../support/supplier-page.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';

/* Names of files, cells, texts of the service and what people write, each a list of tricks: whatever leaves offerline has them as texts. */

const MARKUP = `"><img src=x onerror=alert(1)> ' onmouseover='alert(1)`;
const CHAT = '<!channel> <@U1> @all @here [x](javascript:alert(1)) ~town-square :fire: *bold*';
/** A file name: everything but a slash, and no zero. */
const NAME = `=1+1 ${MARKUP} ${CHAT} \u202Efdp\r\nBcc: evil@evil.example\r\n.csv`;
/** A text that somebody writes, or the service sends. */
const EVIL = [
  `=1+1 </td></script><script>alert(1)</script>${MARKUP} ${CHAT}`,
  '[in](https://evil.example/x) https://evil.example/y www.evil.example/z <https://evil.example|in>',
  '\u202Egnp.exe \u0007\u001B[2J',
  'Bcc: evil@evil.example',
  '',
  '# big',
  '| a | b |',
].join('\r\n');
/** What people call a supplier; it stands in subjects and titles. */
const SUPPLIER = `=1+1 <b>N</b> ${CHAT}`;

const CHATS = ['slack', 'teams', 'mattermost'] as const;
const INCIDENTS = ['incident.opened', 'incident.changed', 'incident.closed'];

let served: ConsoleUnderTest;
let admin: Client;
let receivers: Record<'json' | 'alertmanager' | (typeof CHATS)[number], Receiver>;
let incidents: string[];

const quoted = (cell: string) => `"${cell.replaceAll('"', '""').replaceAll('\0', '')}"`;
const inLine = (text: string) => text.replaceAll(/[\r\n\t]+/gu, ' ');

beforeAll(prepare);

async function prepare(): Promise<void> {
  const service = await scriptedService();
  const port = await freePort();
  const made = await Promise.all([0, 1, 2, 3, 4].map(() => receiveHooks()));
  const [json, alertmanager, slack, teams, mattermost] = made as [Receiver, Receiver, Receiver, Receiver, Receiver];
  receivers = { json, alertmanager, slack, teams, mattermost };
  const hookTo = (format: keyof typeof receivers) => ({
    url: `${receivers[format].url}/in`,
    format,
    allowHosts: ['127.0.0.1'],
    ...(format === 'json'
      ? { secret: HOOK_SECRET }
      : { events: format === 'alertmanager' ? INCIDENTS : ['run.ended', ...INCIDENTS] }),
    ...(format === 'json' || format === 'alertmanager' ? {} : { audience: 'ops' }),
  });
  served = await openConsole({
    service: { baseUrl: service.url },
    logins: { main: { coalesce: '0s', guard: { maxRejected: '100%', maxPartsGone: '100%', maxRowDrop: '100%' } } },
    feeds: {
      south: {
        columns: { tags: 'tags' },
        supplier: { name: SUPPLIER, email: 'list@supplier.example', page: true },
        notify: 'draft',
      },
    },
    managers: [
      { email: 'ops@example.com', audience: 'ops', when: ['problem', 'always'] },
      { email: 'brakes@example.com', when: ['problem', 'always'] },
    ],
    hooks: Object.fromEntries(
      Object.keys(receivers).map((format) => [format, hookTo(format as keyof typeof receivers)]),
    ),
    web: { listen: `127.0.0.1:${port}`, publicUrl: `http://127.0.0.1:${port}/` },
  });
  admin = await served.signIn('admin');
  const cells = `brand;oem;tags;${quoted(EVIL)}\n`;
  const rows = `BOSCH;1;a;b\nBOSCH;;a;${quoted(EVIL)}\n${quoted(inLine(EVIL))};2;${quoted(EVIL)};b\n`;
  service.fate({ errors: `message\tbrand\toem\n${inLine(EVIL)}\tBOSCH\t1\n` });
  const deliver = (content: string, number: number) => {
    served.shop.deliver('south', `${number}${NAME}`, content);
    return run();
  };
  const run = async () => {
    const reply = await admin.post('/feeds/south/run');
    const [, id = ''] = /\/runs\/([\w-]+)/u.exec(reply.headers.get('location') ?? '') ?? [];
    return endOf(id, admin);
  };
  expect(await deliver(`${cells}${rows}`, 1)).toMatchObject({ outcome: 'partial' });
  expect(await deliver('nothing that could be read\n', 2)).toMatchObject({ outcome: 'rejected' });
  service.fate({ state: 'failed', error: EVIL });
  expect(await deliver(`${cells}${rows}BOSCH;3;a;b\n`, 3)).toMatchObject({ outcome: 'failed' });
  await admin.post('/tokens', { name: inLine(EVIL).slice(0, 64), role: 'viewer' });
  await admin.post('/feeds/south/away', { from: '2027-05-03', to: '2027-05-07', reason: EVIL.slice(0, 200) });
  expect((await admin.post('/feeds/south/pause', { reason: EVIL })).status).toBe(303);
  incidents = [...new Set((await admin.page('/incidents')).match(/\/incidents\/[\w-]+/gu))];
  expect(incidents.length).toBeGreaterThan(0);
  for (const page of incidents) {
    expect((await admin.post(`${page}/take`)).status).toBe(303);
    expect((await admin.post(`${page}/note`, { text: EVIL })).status).toBe(303);
  }
  await until(async () => {
    const { stdout } = await served.shop.offerline('hooks', 'list', '--json');
    const hooks = JSON.parse(stdout) as { waiting: number; sent: number }[];
    return hooks.every(({ waiting, sent }) => waiting === 0 && sent > 1) ? true : undefined;
  });
}

/** What of a page is more than a text: elements and attributes that no page of ours has, and addresses of others. */
function dangersIn(page: string): string[] {
  const found: string[] = [];
  const parser = new Parser({
    onopentag: (name, attributes) => {
      if (['script', 'img', 'iframe', 'object', 'embed'].includes(name)) {
        if (attributes['src']?.startsWith('/assets/') !== true) found.push(`<${name} src=${attributes['src']}>`);
      }
      for (const [key, value] of Object.entries(attributes)) {
        if (key.startsWith('on')) found.push(`${name} ${key}=${value}`);
        const leads = ['href', 'src', 'action', 'formaction'].includes(key);
        if (leads && /^\s*(?:javascript|data|vbscript):|evil\.example/iu.test(value) && !value.startsWith('/'))
          found.push(`${name} ${key}=${value}`);
      }
    },
  });
  parser.end(page);
  const raw = /(?![\n\r\t])[\p{Cc}\u202E]/u.exec(page);
  return raw === null
    ? found
    : [...found, `raw ${JSON.stringify(page.slice(Math.max(0, raw.index - 40), raw.index + 5))}`];
}

async function newestRuns(): Promise<{ run: string }[]> {
  return (await (await admin.get('/api/v1/runs?feed=south')).json()) as { run: string }[];
}

test('pages of the console show them as texts', async () => {
  const runs = await newestRuns();
  const [, upload = ''] = /\/uploads\/([\w-]+)/u.exec(await admin.page('/uploads')) ?? [];
  const given = encodeURIComponent(EVIL);
  const ofRuns = runs.flatMap(({ run }) => [
    `/runs/${run}`,
    `/runs/${run}/rows?group=rejectedLocally`,
    `/runs/${run}/rows?group=rejectedRemotely`,
  ]);
  const searched = ['/part?number=1&brand=', '/runs?text=', '/audit?text=', '/docs?q='].map(
    (path) => `${path}${given}`,
  );
  const lists = '/ /runs /incidents /audit /mails /uploads /suppliers /users /system /system/service'.split(' ');
  const others = ['/feeds/south', '/feeds/south/rules', '/logins/main', `/uploads/${upload}`];
  const paths = [...lists, ...others, ...incidents, ...ofRuns, ...searched];
  let shown = 0;
  for (const path of paths) {
    const page = await admin.page(path);
    shown += page.includes('alert(1)') ? 1 : 0;
    expect({ path, found: dangersIn(page) }).toEqual({ path, found: [] });
  }
  expect(shown).toBeGreaterThan(8);
  for (const { run } of runs) expect(dangersIn(await (await admin.get(`/runs/${run}/report.html`)).text())).toEqual([]);
});

test('so do the pages of the supplier', async () => {
  const { client, path } = await openPage('south', served);
  const list = await client.page(path);
  expect(list).toContain('alert(1)');
  const details = [...new Set(list.match(/\/supplier\/[\w-]+\/deliveries\/[\w-]+/gu))];
  expect(details.length).toBeGreaterThan(0);
  for (const page of [path, ...details])
    expect({ page, found: dangersIn(await client.page(page)) }).toEqual({ page, found: [] });
});

test('mails have them in neither their heads nor their markup', async () => {
  const outbox = join(served.shop.home, 'outbox');
  const names = readdirSync(outbox).filter((name) => name.endsWith('.eml'));
  expect(names.length).toBeGreaterThan(3);
  const draft = await admin.get(`/runs/${(await newestRuns()).at(-1)!.run}/supplier-mail.eml`);
  expect(draft.status).toBe(200);
  const mails = [...names.map((name) => readFileSync(join(outbox, name))), Buffer.from(await draft.arrayBuffer())];
  for (const mail of mails) {
    const { headers, subject = '', html = '', text = '' } = await PostalMime.parse(mail);
    expect(headers.map(({ key }) => key).filter((key) => ['bcc', 'cc'].includes(key))).toEqual([]);
    expect(subject).not.toMatch(/[\p{Cc}\u202E]/u);
    expect(text).not.toMatch(/(?![\n\r\t])[\p{Cc}\u202E]/u);
    expect({ subject, found: dangersIn(html) }).toEqual({ subject, found: [] });
  }
});

test('programs get them whole, in payloads that keep to their schema', () => {
  const told = receivers.json.received.map(({ payload }) => payload);
  for (const one of told) payloadSchema(one.type as Told).parse(one);
  const names = told.flatMap(({ type, data }) =>
    type === 'run.ended' ? [(data['delivery'] as { name: string }).name] : [],
  );
  expect(names.length).toBeGreaterThan(2);
  for (const name of names) expect(name).toContain('onerror=alert(1)');
});

/** All texts in a message but addresses of buttons, which have to be pages of ours. */
function textsIn(value: unknown, key = ''): string[] {
  if (typeof value === 'string') {
    const isPage = /^http:\/\/127\.0\.0\.1:\d+\/(?:runs|incidents)\//u.test(value);
    if (['url', 'title_link', 'generatorURL'].includes(key) && isPage) return [];
    return ['type', '$schema', 'contentType'].includes(key) ? [] : [value];
  }
  if (typeof value !== 'object' || value === null) return [];
  // In these Slack looks for nothing.
  if ('type' in value && value.type === 'plain_text') return [];
  return Object.entries(value).flatMap(([name, inner]) => textsIn(inner, Array.isArray(value) ? key : name));
}

/** What would be more than a text in a message of each chat; runs of text of Teams hold no marks. */
const MARKS = { slack: /<|(?<!\u200B)\*bold/u, teams: /\u202E/u, mattermost: /(?<!\\)\]\(/u };

test.each(CHATS)('%s finds nobody to mention and nothing to link', (format) => {
  const { received } = receivers[format];
  expect(received.length).toBeGreaterThan(4);
  const texts = received.flatMap(({ payload }) => textsIn(payload));
  expect(texts.some((text) => text.includes('alert(1'))).toBe(true);
  for (const whole of texts) {
    const text = whole.replaceAll(`](${served.url}/`, '');
    expect(text).not.toMatch(/@(?=channel|here|all|U1)|~town|www\.evil|evil\.example\/|javascript:|\w:\/\/\S|\u202E/u);
    expect(text).not.toMatch(MARKS[format]);
  }
});

test('an Alertmanager gets them as texts in which no chat behind it finds anybody or anything', () => {
  const { received } = receivers.alertmanager;
  expect(received.length).toBeGreaterThan(1);
  const texts = received.flatMap(({ payload }) => textsIn(payload));
  expect(texts.some((text) => text.includes('channel'))).toBe(true);
  for (const text of texts) expect(text).not.toMatch(/[<@](?!\u200B)|:\/\/|www\.|javascript:|\u202E/u);
});

test('the dossier is Markdown in which they are cells, and tables that no spreadsheet runs', async () => {
  const [, upload = ''] = /\/uploads\/([\w-]+)/u.exec(await admin.page('/uploads')) ?? [];
  const markdown = await (await admin.get(`/uploads/${upload}/dossier.md`)).text();
  expect(markdown).toContain('alert(1)');
  const page = await marked.parse(markdown);
  expect(dangersIn(page)).toEqual([]);
  expect(page).not.toMatch(/<h1>big|>in<\/a>|href="javascript:/u);
  const folder = tempFolder();
  const { stdout } = await served.shop.offerline('dossier', upload, '--out', folder, '--json');
  const zip = await readZip((JSON.parse(stdout) as { zip: string }).zip);
  const score = await served.shop.offerline('scorecard', '--format', 'csv');
  const tables = { calls: zip.get('calls.csv')!, scorecard: score.stdout };
  for (const [table, text] of Object.entries(tables)) {
    for (const { name, rows } of csvReaders()) {
      const cells = (await rows(Buffer.from(text))).flat();
      const runs = cells.filter((cell) => RUNS.test(cell));
      expect({ table, name, runs, enough: cells.length > 9 }).toEqual({ table, name, runs: [], enough: true });
    }
  }
});
