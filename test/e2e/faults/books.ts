import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { IntentRow, RunRow, UploadRow } from '../../../src/ledger/schema/schema.ts';
import type { RowCounts } from '../../../src/model.ts';
import type { ArrivalView } from '../../../src/sandbox/arrivals.ts';
import { parseLossless } from '../../../src/service/http/lossless-json.ts';

/** A record of `offer/list`, its id as text. */
type Offer = { id: string; state: string; createdTime: number; lastModifiedTime: number };

/** What ledger and service hold of a login, to be compared. */
export type Books = {
  runs: RunRow[];
  intents: (IntentRow & { sha256: string; uploads: UploadRow[] })[];
  /** Everything that reached the service, oldest first. */
  arrivals: ArrivalView[];
  /** Everything that the service accepted, oldest first. */
  offers: Offer[];
  /** Hash of the dataset that the service serves now. */
  liveSha: string;
};

/** Reads the books of a login; `service` is the service itself, not the gate before it. */
export async function booksOf(
  { ledger: { db }, login }: { ledger: Ledger; login: string },
  service: string,
): Promise<Books> {
  const uploads = await db.selectFrom('uploads').selectAll().where('login', '=', login).orderBy('attempt').execute();
  const intents = await db
    .selectFrom('intents')
    .innerJoin('datasets', 'datasets.id', 'intents.dataset')
    .selectAll('intents')
    .select('datasets.sha256')
    .where('intents.login', '=', login)
    .orderBy('intents.created_at')
    .orderBy('intents.id')
    .execute();
  const runs = db.selectFrom('runs').selectAll().where('login', '=', login).orderBy('created_at').orderBy('id');
  const headers = { authorization: `Basic ${Buffer.from(`${login}:secret`).toString('base64')}` };
  const ask = async (path: string) => (await fetch(`${service}${path}`, { headers })).bytes();
  const text = async (path: string) => Buffer.from(await ask(path)).toString();
  const { uploads: arrived } = JSON.parse(await text('/control/uploads')) as { uploads: ArrivalView[] };
  const { data } = parseLossless(await text('/us2/public/offer/list?size=1000')) as { data: Offer[] };
  return {
    runs: await runs.execute(),
    intents: intents.map((intent) =>
      Object.assign(intent, { uploads: uploads.filter((one) => one.intent === intent.id) }),
    ),
    arrivals: arrived.filter((arrival) => arrival.login.name === login),
    offers: data.toReversed(),
    liveSha: createHash('sha256')
      .update(await ask('/us2/public/offer/source'))
      .digest('hex'),
  };
}

/**
 * Everything in the books that breaks a promise of docs/promises.md, in words; a healthy login has none. Of `gone` homes, whose
 * machines do not exist any more, no reports are asked for.
 */
export async function brokenPromises(books: Books, gone: string[] = []): Promise<string[]> {
  return [...sentTwice(books), ...atTheSameTime(books), ...unbalanced(books), ...(await misreported(books, gone))];
}

/** Promise 2: what was accepted is what was intended, once each, and the newest of it is live. */
export function sentTwice({ intents, arrivals, offers, liveSha }: Books): string[] {
  const accepted = arrivals.filter(({ outcome }) => outcome === 'accepted');
  const carries = (file: string | null, intent: Books['intents'][number]) =>
    intent.uploads.some(({ token }) => file?.includes(token) ?? false);
  const recorded = intents.map(({ uploads }) => uploads.at(-1)?.offer_id ?? null);
  return [
    ...intents.flatMap((intent) => {
      const met = accepted.filter(({ file }) => carries(file, intent)).length;
      const proved = intent.result === 'met' ? [] : [`intent ${intent.id} is ${intent.result ?? 'open'}`];
      return met === 1 ? proved : [...proved, `intent ${intent.id} was accepted ${met} times`];
    }),
    ...accepted
      .filter(({ file }) => !intents.some((intent) => carries(file, intent)))
      .map(({ file }) => `the accepted upload ${file} belongs to no intent`),
    ...differ(
      "the intents' uploads",
      recorded,
      'the accepted ones',
      offers.map(({ id }) => id),
    ),
    ...(new Set(intents.map(({ sha256 }) => sha256)).size === intents.length ? [] : ['a dataset was intended twice']),
    ...differ('the newest dataset', intents.at(-1)?.sha256, 'the one that is served', liveSha),
  ];
}

/** Promise 1: no upload was accepted, or came whole and was refused, while another of the login was unfinished. */
export function atTheSameTime({ arrivals, offers }: Pick<Books, 'arrivals' | 'offers'>): string[] {
  const refused = arrivals.filter(({ outcome }) => outcome === 'refused');
  return [
    ...refused.map(({ file, code }) => `the upload ${file} was refused: ${code}`),
    ...offers.flatMap(({ id, createdTime }, at) => {
      const ended = offers[at - 1]?.lastModifiedTime ?? 0;
      return ended <= createdTime ? [] : [`upload ${id} began while the one before it was unfinished`];
    }),
    ...offers.filter(({ state }) => state !== 'success').map(({ id, state }) => `upload ${id} is ${state}`),
  ];
}

/** Promise 4: every row is explained, by the three equations and without a remainder. */
function unbalanced({ runs }: Books): string[] {
  return runs.flatMap(({ id, stage, outcome, reason, account }) => {
    if (stage !== 'done' || outcome !== 'partial') return [`run ${id} is ${stage}, ${outcome}: ${reason}`];
    const rows = account!;
    const known = { rejectedLocally: 1, duplicates: 1, rejectedRemotely: 1, unexplained: 0 };
    const balanced =
      rows.accepted + rows.rejectedLocally + rows.duplicates === rows.read &&
      rows.contributed + rows.outranked === rows.accepted &&
      rows.live + rows.rejectedRemotely + rows.unexplained === rows.contributed &&
      Object.entries(known).every(([key, count]) => rows[key as keyof RowCounts] === count);
    return balanced ? [] : [`the account of run ${id} does not balance: ${JSON.stringify(account)}`];
  });
}

/** The reports that people get say the same as the ledger. */
async function misreported({ runs }: Books, gone: string[]): Promise<string[]> {
  const problems: string[] = [];
  for (const run of runs) {
    const json = run.reports?.json;
    if (json === undefined) problems.push(`run ${run.id} has no report`);
    else if (!gone.some((home) => json.startsWith(home))) {
      const report = JSON.parse(await readFile(json, 'utf8')) as { outcome: string; rows: RowCounts };
      const told = [report.outcome, report.rows];
      problems.push(...differ('the report', told, 'the ledger', [run.outcome, run.account]));
    }
  }
  return problems;
}

function differ(what: string, one: unknown, whatElse: string, other: unknown): string[] {
  if (isDeepStrictEqual(one, other)) return [];
  return [`${what} (${JSON.stringify(one)}) and ${whatElse} (${JSON.stringify(other)}) differ`];
}
