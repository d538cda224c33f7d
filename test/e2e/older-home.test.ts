import { readdirSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { controlOf } from '../support/control.ts';
import { install } from '../support/installation.ts';
import { copyOlderHome, CREDENTIALS, OLDER_HOME, questionsTo, SERVICE_SETTINGS } from '../support/older-home.ts';
import { sandboxForTest } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

/**
 * What people read: sentences may be worded anew, so that only whether there is one is compared. `reason` and `text` are also what
 * a person or the service once said, which is not worth telling apart here.
 */
const SENTENCES = new Set(
  'detail doubt meaning message messages note notes reason recovery sentence steps text why'.split(' '),
);

/** What tells of this machine, not of the installation: the version of SQLite. */
const OF_THE_MACHINE = new Set(['version']);

/** What answers have had only since then. */
const ADDED = new Set(['acceptedColumns', 'mapping', 'skipped', 'skippedRows']);

/** What `doctor` has looked at only since then. */
function isAddedCheck(value: unknown): boolean {
  const check = typeof value === 'object' && value !== null && 'check' in value ? value.check : undefined;
  return typeof check === 'string' && (['managers', 'config'].includes(check) || check.startsWith('feed '));
}

/** An answer with only that a sentence is there, where it has one. */
function withoutWords(answer: unknown): { answer: unknown } {
  const parsed: unknown = JSON.parse(JSON.stringify(answer), (key, value: unknown) => {
    if (OF_THE_MACHINE.has(key)) return '(of the machine)';
    if (ADDED.has(key)) return undefined;
    const said = Array.isArray(value) && value.length > 0 ? value : [value];
    if (SENTENCES.has(key) && said.every((one) => typeof one === 'string')) return '(words)';
    return Array.isArray(value) ? value.filter((one) => !isAddedCheck(one)) : value;
  });
  return { answer: parsed };
}

/** The installation of version 0.1 ten minutes after its last process ended, with its service as it was. */
async function olderShop() {
  const env: NodeJS.ProcessEnv = { ...CREDENTIALS };
  const shop = install({}, env);
  const copy = copyOlderHome(shop.folder);
  const logins = SERVICE_SETTINGS.logins.map(({ auth }) => ({ auth }));
  const service = await sandboxForTest({ dataDir: copy.service, settings: { logins }, control: true });
  const control = controlOf(service.url);
  // It still rejects what it rejected before: otherwise there would be a recovery to tell.
  await control.faults({ fault: 'reject-rows', oems: ['A3', 'A4'], times: 'forever' });
  env['SERVICE_URL'] = service.url;
  const ask = async (...args: string[]): Promise<unknown> => {
    const { stdout, stderr } = await shop.offerline(...args);
    if (stdout === '') throw new Error(`no answer to ${args.join(' ')}: ${stderr}`);
    return JSON.parse(copy.moved(stdout)) as unknown;
  };
  return { copy, service, shop, control, ask, recorded: recordedBy(shop.home) };
}

/** Files with the rejected rows of a feed in what is live, though another run made it live: they are counted on only since then. */
const STANDING = 1;

/** What version 0.1 answered, with the keys that answers got since then. */
function answered(name: string): unknown {
  return JSON.parse(readFileSync(join(OLDER_HOME, 'answers', `${name}.json`), 'utf8'), (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    // That nobody works on open work has become a failure.
    const unattended = 'check' in value && value.check === 'sweep' ? { ok: false } : {};
    const skipped = 'rejectedLocally' in value && 'duplicates' in value ? { skipped: 0 } : {};
    const standing = 'references' in value ? { references: Number(value.references) + STANDING } : {};
    return {
      ...('readings' in value ? { mapping: [], skipped: [] } : {}),
      ...skipped,
      ...value,
      ...unattended,
      ...standing,
    };
  });
}

/** What the ledger has of mails and incidents, by what tells them apart. */
function recordedBy(home: string) {
  const all = <Row>(query: string): Row[] => {
    const ledger = new DatabaseSync(join(home, 'ledger.sqlite'), { readOnly: true });
    try {
      return ledger.prepare(query).all() as Row[];
    } finally {
      ledger.close();
    }
  };
  return {
    mails: () => all<{ id: string; sent: 0 | 1 }>('select id, sent_to is not null as sent from mails order by id'),
    incidents: () =>
      all<{ id: string; open: 0 | 1; told_at: number }>(
        'select id, kind, subject, recovered_at is null as open, told_at, settled_at from incidents order by id',
      ),
  };
}

const outbox = (home: string) => readdirSync(join(home, 'outbox')).filter((name) => name.endsWith('.eml'));

type Brief = { run: string; feed: string; outcome: string | null; dataset: { feeds: Record<string, number> } | null };
type LoginState = { login: string; watched: { at: number | null } };

// So many programs, one after the other, take their time on a busy machine.
test('what the older version said of everything, this one says, too', { timeout: 600_000 }, async () => {
  const { ask } = await olderShop();
  const runs = (answered('runs') as Brief[]).map(({ run }) => run);
  for (const [name, args] of Object.entries(questionsTo(runs))) {
    const question = args.join(' ');
    expect({ question, ...withoutWords(await ask(...args)) }).toMatchObject({
      question,
      ...withoutWords(answered(name)),
    });
  }
});

test('nothing is told or sent again; what was recorded and not done is done once', async () => {
  const { shop, control, ask, recorded } = await olderShop();
  const before = { mails: recorded.mails(), incidents: recorded.incidents(), uploads: await control.uploads() };
  const unsent = before.mails.filter(({ sent }) => sent === 0);
  expect(unsent).not.toEqual([]);
  const opened = Date.now();

  const heartbeat = join(shop.folder, 'heartbeat');
  const up = shop.start('up', '--heartbeat', heartbeat);
  const [inlet] = await until(async () => {
    const begun = (await ask('runs', '--feed', 'inlet', '--outcome', 'live', '--json')) as Brief[];
    return begun.length > 0 ? begun : undefined;
  });
  // Every login that can be looked at was, and two whole sweeps came after that.
  await until(async () => {
    const states = JSON.parse((await shop.offerline('logins', '--json')).stdout) as LoginState[];
    const looked = states.filter(({ watched }) => (watched.at ?? 0) >= opened).map(({ login }) => login);
    return ['main', 'west', 'shared'].every((login) => looked.includes(login)) ? true : undefined;
  });
  for (let sweep = 0; sweep < 3; sweep++) {
    const last = readFileSync(heartbeat, 'utf8');
    await until(() => (['', last].includes(readFileSync(heartbeat, 'utf8')) ? undefined : true));
  }
  up.child.kill('SIGTERM');
  expect(await up.ended).toMatchObject({ status: 0 });

  expect(recorded.incidents()).toEqual(before.incidents);
  expect(recorded.mails()).toEqual(before.mails.map((mail) => ({ ...mail, sent: 1 })));
  expect(outbox(shop.home)).toHaveLength(unsent.length);
  const [inletUpload, ...others] = (await control.uploads()).slice(before.uploads.length);
  expect(inletUpload).toMatchObject({ login: { name: 'main' }, outcome: 'accepted' });
  expect(others).toEqual([]);
  expect(await ask('show', inlet?.run ?? '', '--json')).toMatchObject({ outcome: 'live', rows: { live: 3 } });
});

test('a bad file that was told is not told again when it is taken once more', async () => {
  const { shop, recorded } = await olderShop();
  const before = { mails: recorded.mails(), incidents: recorded.incidents() };
  expect(await shop.ingest('nameless')).toMatchObject({ outcome: 'rejected' });
  expect(await shop.ingest('rhein')).toMatchObject({ outcome: 'held' });
  // What tells an incident from another is kept with it: words that are part of that may not change without care.
  expect(recorded.incidents()).toEqual(before.incidents);
  expect(recorded.mails().map(({ id }) => id)).toEqual(before.mails.map(({ id }) => id));
});

test('a new file goes live beside what the other suppliers have live, and a known file is unchanged', async () => {
  const { shop, ask } = await olderShop();
  const newest = (answered('runs') as Brief[]).find(({ feed }) => feed === 'north');
  const { dataset } = answered(`show-${newest?.run ?? ''}`) as Brief;

  // The run that was open goes on first: its upload would be under way, or not, while what is live is asked for.
  const worker = shop.start('worker');
  await until(async () => {
    const live = (await ask('runs', '--feed', 'inlet', '--outcome', 'live', '--json')) as Brief[];
    return live.length > 0 ? true : undefined;
  });
  worker.child.kill('SIGTERM');
  expect(await worker.ended).toMatchObject({ status: 0 });
  shop.deliver('tardy', 'tardy-2.csv', 'brand;oem\nLUK;L1\nLUK;L2\nLUK;L3\nLUK;L4\nLUK;L9\n');
  expect(await shop.ingest('tardy')).toMatchObject({
    outcome: 'live',
    dataset: { feeds: { ...dataset?.feeds, tardy: 5 } },
  });
  for (const [brand, oem, winner] of [
    ['LUK', 'L9', 'tardy'],
    ['MANN', 'M1', 'rhein'],
    ['SKF', 'S30', 'gone'],
  ]) {
    const trace = await ask('trace', brand ?? '', oem ?? '', '--login', 'main', '--json');
    expect(trace).toMatchObject({ logins: [{ live: true, winner, verified: true }] });
  }
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'unchanged', cause: 'same-file', upload: null });
});
