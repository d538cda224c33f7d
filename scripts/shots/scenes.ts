import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { getRun } from '../../src/ledger/runs/runs.ts';
import { reportInput } from '../../src/jobs/queries/run-report.ts';
import type { RunAnswer } from '../../src/model.ts';
import type { Mail } from '../../src/notify/mail.ts';
import { writePage } from '../../src/report/write.ts';
import { openLanguage } from '../../src/wording/language/language.ts';
import { openShop, type Shop } from './shop.ts';
import { assortment, listOf, SUPPLIERS, type Feed, type Part } from './suppliers.ts';

/** A mail or report as a person sees it. */
export type ShownPage = { kind: string; of: 'mail' | 'report'; language: string; html: string };

/** What ops are shown reading: the same with a block of technical facts. */
const OF_OPS = ['one-cause', 'failed-source'];

/** What happened, and the mails that told of it. */
type Scene = { kind: string; run: RunAnswer | null; mails: Mail[] };

/**
 * Every kind of mail and report of a week in an invented shop, in each of these languages. The folder must be empty. `visit` gets the
 * shop as that week has left it.
 */
export async function pagesOf(
  folder: string,
  languages: string[],
  visit: (shop: Shop) => Promise<void> = () => Promise.resolve(),
): Promise<ShownPage[]> {
  const shop = await openShop(folder, configOf(languages));
  try {
    const scenes = [...(await quietWeek(shop)), ...(await badDay(shop, folder)), ...(await nextDay(shop))];
    const pages: ShownPage[] = [];
    for (const language of languages) {
      for (const { kind, run, mails } of scenes) {
        const mail = mails.find(({ to }) => to === readerOf(language));
        if (mail === undefined) throw new Error(`Nobody was mailed about ${kind} in ${language}.`);
        pages.push({ kind, of: 'mail', language, html: mail.html });
        const toOps = mails.find(({ to }) => to === `ops.${readerOf(language)}`);
        if (OF_OPS.includes(kind) && toOps !== undefined)
          pages.push({ kind: `${kind}-ops`, of: 'mail', language, html: toOps.html });
        if (run !== null)
          pages.push({ kind, of: 'report', language, html: await reportOf(run, language, shop, folder) });
      }
    }
    await quietMorning(shop);
    await visit(shop);
    return pages;
  } finally {
    await shop.close();
  }
}

function configOf(languages: string[]): Record<string, unknown> {
  const feeds = Object.entries(SUPPLIERS).map(([feed, supplier]) => [
    feed,
    {
      login: 'shop',
      source: { type: 'directory', path: `./inbox/${feed}`, settle: '0s' },
      schedule: { cron: '0 6 * * *', timezone: 'Europe/Berlin' },
      supplier,
      signals: {},
      columns: { brand: ['Hersteller'] },
      ...(feed === 'oslo' ? { expires: '12d' } : {}),
      ...(feed === 'porto' || feed === 'tallinn' ? { expectEvery: '3d' } : {}),
    },
  ]);
  return {
    logins: { shop: { coalesce: '0s' } },
    feeds: Object.fromEntries(feeds) as Record<string, unknown>,
    managers: languages.flatMap((language) => [
      { email: readerOf(language), language, when: ['problem', 'recovered', 'always', 'daily'] },
      { email: `ops.${readerOf(language)}`, language, when: ['problem', 'always'], audience: 'ops' },
    ]),
    web: { listen: '127.0.0.1:0', timezone: 'Europe/Berlin' },
    mail: { from: 'offerline@shop.example', daily: { at: '06:00', timezone: 'UTC' } },
  };
}

function readerOf(language: string): string {
  return `${language}@shop.example`;
}

/** Everybody delivers, then some go on; what is missing is missed. */
async function quietWeek(shop: Shop): Promise<Scene[]> {
  const mails: Mail[] = [];
  await deliverAll(shop);
  for (let day = 1; day <= 7; day++) {
    await shop.pass(1);
    const parts = assortment('rhein', 1190 + day);
    if (day === 4) await shop.deliver('rhein', listOf(parts, { brand: false }));
    else await shop.deliver('rhein', listOf(day === 2 ? withUnknownBrands(parts, 30) : parts));
    await shop.ingest('rhein');
    mails.push(...shop.takeMails());
  }
  const of = (kind: string) => mails.filter(({ headers }) => headers['X-Offerline-Incident'] === kind);
  return [
    { kind: 'several-suppliers', run: null, mails: of('missing-delivery') },
    { kind: 'incident', run: null, mails: of('expiry') },
  ];
}

async function deliverAll(shop: Shop): Promise<void> {
  for (const feed of Object.keys(SUPPLIERS) as Feed[]) {
    const parts = assortment(feed, feed === 'rhein' ? 1190 : 400);
    await shop.deliver(feed, listOf(feed === 'gdansk' ? withoutNumbers(parts, 57) : parts));
  }
  await shop.ingest(...Object.keys(SUPPLIERS));
}

/** A supplier delivers well, and a lot goes wrong with the others. */
async function badDay(shop: Shop, folder: string): Promise<Scene[]> {
  await shop.pass(1);
  shop.takeMails();
  const scenes: Scene[] = [];
  async function see(kind: string, feed: Feed, content: string | null): Promise<void> {
    if (content === null) await rm(join(folder, 'inbox', feed), { recursive: true });
    else await shop.deliver(feed, content);
    const [run] = await shop.ingest(feed);
    const mails = shop.takeMails().filter(({ headers }) => headers['X-Offerline-Run'] === run?.run);
    scenes.push({ kind, run: run ?? null, mails });
  }
  const full = assortment('rhein', 1201);
  await see('live', 'rhein', listOf(full.filter((_, at) => at % 100 !== 7)));
  await see('one-cause', 'rhein', listOf(withUnknownBrands(full, 2)));
  await see('many-causes', 'nord', listOf(withManyMistakes(assortment('nord', 420))));
  await see('held-guard', 'lyon', listOf(assortment('lyon', 400).filter(({ brand }, at) => brand < 'F' && at > 20)));
  await see('held-correction', 'gdansk', listOf(assortment('gdansk', 57)));
  await see('rejected', 'milano', listOf(assortment('milano', 410), { brand: false }));
  await see('failed-source', 'praha', null);
  await see('strange', 'volga', listOf(assortment('volga', 405).map(withoutComma)));
  return scenes;
}

/** Who was missed delivers, and the day's digest comes. */
async function nextDay(shop: Shop): Promise<Scene[]> {
  await shop.deliver('porto', listOf(assortment('porto', 402)));
  await shop.ingest('porto');
  const recovered = shop.takeMails();
  await shop.pass(1);
  const digest = shop.takeMails();
  return [
    {
      kind: 'recovery',
      run: null,
      mails: recovered.filter(({ headers }) => headers['X-Offerline-Phase'] === 'recovery'),
    },
    { kind: 'digest', run: null, mails: digest.filter(({ headers }) => headers['X-Offerline-Day'] !== undefined) },
  ];
}

/** One more delivery, so that people look at a console behind which somebody works. */
async function quietMorning(shop: Shop): Promise<void> {
  await shop.deliver('volga', listOf(assortment('volga', 406)));
  await shop.ingest('volga');
}

async function reportOf(answer: RunAnswer, language: string, { ctx }: Shop, folder: string): Promise<string> {
  const input = await reportInput(await getRun(ctx.ledger.db, answer.run), ctx);
  const spoken = { ...input, language: openLanguage(language, input.timeZone) };
  const pages = join(folder, 'pages');
  await mkdir(pages, { recursive: true });
  const path = join(pages, `${answer.run}-${language}.html`);
  await writePage(spoken, path);
  return readFile(path, 'utf8');
}

/** A brand that the service does not know, in one part of so many. */
function withUnknownBrands(parts: Part[], of: number): Part[] {
  return parts.map((part, at) => (at % of === 0 ? { ...part, brand: 'NONSUCH' } : part));
}

function withoutNumbers(parts: Part[], count: number): Part[] {
  return parts.map((part, at) => (at < count ? { ...part, oem: '' } : part));
}

/** A decimal comma that was lost. */
function withoutComma(part: Part): Part {
  return { ...part, price: part.price.replace(',', '') };
}

/** Mistakes of ten kinds, found here and by the service. */
function withManyMistakes(parts: Part[]): Part[] {
  const MISTAKES: ((part: Part) => Part)[] = [
    (part) => ({ ...part, brand: '' }),
    (part) => ({ ...part, oem: '' }),
    (part) => ({ ...part, tags: Array.from({ length: 21 }, (_, at) => `tag-${at}`).join(',') }),
    (part) => ({ ...part, oem: '1,23457E+11' }),
    (part) => ({ ...part, oem: '#N/A' }),
    (part) => ({ ...part, oem: `${part.oem} <b>neu</b>` }),
    (part) => ({ ...part, brand: 'UNKNOWN' }),
    (part) => ({ ...part, name: 'StoÃŸdÃ¤mpfer hinten' }),
    (part) => ({ ...part, name: `${part.name} ${'mit sehr ausführlicher Beschreibung '.repeat(10)}` }),
    (part) => ({ ...part, oem: '12.05.2024' }),
  ];
  return parts.map((part, at) => (at % 8 === 0 ? (MISTAKES[(at / 8) % MISTAKES.length]?.(part) ?? part) : part));
}
