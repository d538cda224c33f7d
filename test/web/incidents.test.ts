import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { adviceOnIncident, incidentSentence, INCIDENTS, type IncidentKind } from '../../src/incidents.ts';
import { factsOf, findIncident, openIncident, raise, type Raise } from '../../src/ledger/alerts/incidents.ts';
import { openLedger, type Db } from '../../src/ledger/ledger.ts';
import { html, prose } from '../../src/wording/html.ts';
import { catalogue, languages, openLanguage, USUAL_LANGUAGE } from '../../src/wording/language/language.ts';
import { incidentTitle } from '../../src/wording/managers/incident-words.ts';
import { atEnd } from '../support/at-end.ts';
import { openConsole, type Client, type ConsoleUnderTest } from '../support/console.ts';
import { saying } from '../support/reasons.ts';

const KINDS = Object.keys(INCIDENTS) as IncidentKind[];
const OF_LOGIN: IncidentKind[] = ['credentials', 'unreachable', 'stuck-upload', 'foreign-upload'];
const DAY = 86_400_000;
const SAID = 'EACCES: `open` of <the disk>';

/** What is told of a kind apart from its title. */
const REASONS: Partial<Record<IncidentKind, Pick<Raise, 'reason' | 'numbers'>>> = {
  delivery: {
    reason: { code: 'run-ended', outcome: 'failed', cause: 'disk-full', reason: null },
    numbers: { outcome: 'failed', cause: 'disk-full' },
  },
  'missing-delivery': { reason: { code: 'nothing-delivered', forMs: 3 * DAY, expectEvery: DAY, last: null } },
  'lost-rows': { reason: { code: 'rows-lost', offerId: '17', wasLive: 1201, lost: 21, live: 1180 } },
};

let served: ConsoleUnderTest;
let db: Db;
const ids: Partial<Record<IncidentKind, string>> = {};

beforeAll(async () => {
  served = await openConsole({ feeds: { north: { supplier: { name: 'Nord Teile GmbH' } } } });
  const ledger = await openLedger({ file: join(served.shop.home, 'ledger.sqlite') });
  atEnd(() => ledger.close());
  db = ledger.db;
  for (const kind of KINDS) {
    const about = { kind, login: 'main', feed: OF_LOGIN.includes(kind) ? null : 'north' };
    await raise(db, { ...about, run: null, ...(REASONS[kind] ?? { reason: saying(SAID) }) }, Date.now());
    ids[kind] = (await openIncident(db, about))?.id ?? '';
  }
});

async function speaking(language: string): Promise<Client> {
  const client = await served.signIn('ops');
  await client.post('/language', { language, to: '/' });
  return client;
}

/** What a page says between its head and its foot, without what it marks as English; commands are no words. */
async function inOwnWords(path: string, client: Client): Promise<string> {
  const [main = ''] = /<main[^]*<\/main>/u.exec(await client.page(path)) ?? [];
  const own = main.replaceAll(/<(\w+)[^>]* lang="en"[^>]*>[^]*?<\/\1>/gu, '').replaceAll(/<code>[^]*?<\/code>/gu, '');
  return asRead(own);
}

function asRead(markup: string): string {
  return markup.replaceAll(/<[^>]*>/gu, ' ').replaceAll(/\s+/gu, ' ');
}

async function factsOfKind(kind: IncidentKind) {
  return factsOf((await findIncident(db, ids[kind] ?? ''))!);
}

/** Texts of the program in English, as a page would show them. */
async function opsWords(): Promise<string[]> {
  const facts = await Promise.all(KINDS.map(factsOfKind));
  const said = facts.flatMap((one) => {
    const { meaning, steps } = adviceOnIncident(one);
    return [INCIDENTS[one.kind].title, one.text, meaning, steps].flat();
  });
  return said.map((text) => asRead(html`${prose(text)}`.markup));
}

describe.each(languages().filter((name) => name !== USUAL_LANGUAGE))('who reads %s', (name) => {
  const words = catalogue(name);
  let client: Client;
  beforeAll(async () => {
    client = await speaking(name);
  });

  test('sees no English of an incident that is not marked as English', async () => {
    const english = await opsWords();
    const paths = KINDS.map((kind) => `/incidents/${ids[kind]}`);
    for (const path of ['/incidents', '/incidents?state=over', '/feeds/north', '/logins/main', ...paths]) {
      const text = await inOwnWords(path, client);
      expect({ path, english: english.filter((one) => text.includes(one)) }).toEqual({ path, english: [] });
    }
  });

  test.each(KINDS)('is told of %s as managers are, and what ops can type', async (kind) => {
    const facts = await factsOfKind(kind);
    const supplier = facts.feed === null ? `${words['web.now.login']} main` : 'Nord Teile GmbH';
    const page = await client.page(`/incidents/${ids[kind]}`);
    expect(page).toContain(html`<h1><bdi>${incidentTitle(facts, { supplier }, openLanguage(name))}</bdi></h1>`.markup);
    const commands = adviceOnIncident(facts).steps.flatMap((step) => /`(.+)`/u.exec(step)?.[1] ?? []);
    expect(commands.length).toBeGreaterThan(0);
    for (const command of commands) expect(page).toContain(html`<li><code>${command}</code></li>`.markup);
    expect(page).toContain(`<h2>${words['web.incidents.commands']}</h2>`);
    const remnant = html`<q lang="en">${prose(SAID)}</q>`.markup;
    expect(page.includes(remnant)).toBe(REASONS[kind] === undefined);
  });

  test('finds the kinds in the filter, and the incidents of a feed and of a login on their pages', async () => {
    const lost = incidentTitle({ kind: 'lost-rows' }, { supplier: null }, openLanguage(name));
    expect(await client.page('/incidents')).toContain(`>${lost}</option>`);
    expect(asRead(await client.page('/feeds/north'))).toContain(`${lost}. `);
    const login = await client.page('/logins/main');
    expect(login).toMatch(new RegExp(`<bdi>${words['web.now.login']} main: `, 'u'));
    expect(login).toContain('href="/incidents?login=main"');
  });
});

describe('who reads English', () => {
  let client: Client;
  beforeAll(async () => {
    client = await speaking('en');
  });

  test.each(KINDS)('is told of %s as the command line says it', async (kind) => {
    const facts = await factsOfKind(kind);
    const { meaning, steps } = adviceOnIncident(facts);
    const page = await client.page(`/incidents/${ids[kind]}`);
    expect(page).toContain(html`<h1><bdi>${incidentSentence(facts)}</bdi></h1>`.markup);
    expect(page).toContain(html`<p class="lead">${prose(meaning)}</p>`.markup);
    for (const step of steps) expect(page).toContain(html`<li>${prose(step)}</li>`.markup);
    expect(page).not.toContain('<h2>Commands</h2>');
  });

  test('finds the sentences of the command line in lists, too', async () => {
    const facts = await factsOfKind('lost-rows');
    const list = await client.page('/incidents');
    expect(list).toContain(html`<bdi>${incidentSentence(facts)}</bdi>`.markup);
    expect(list).toContain(`>${INCIDENTS['lost-rows'].title}</option>`);
    expect(asRead(await client.page('/feeds/north'))).toContain(facts.text);
    const login = await client.page('/logins/main');
    expect(login).toMatch(/<p class="reason held">\s*<a href="\/incidents\/[\w-]+"><time /u);
    expect(login).toContain('href="/incidents?login=main"');
    expect(login).not.toContain('INCIDENT since');
  });
});
