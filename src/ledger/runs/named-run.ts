import { OfferlineError } from '../../errors.ts';
import type { Db } from '../ledger.ts';

/** Fewer characters of an id are too easily those of another run. */
const SHORTEST = 3;

/** Runs that are named when a name fits several. */
const SHOWN = 5;

/**
 * The id of the run that a person means: an id, its beginning or its end as long as no other run has it, `latest` for the newest
 * run, or `latest:FEED`. Throws `not-found`, and `usage` for a name that fits several.
 */
export async function idOfRun(db: Db, name: string): Promise<string> {
  if (name === 'latest' || name.startsWith('latest:')) return latest(db, name.slice('latest:'.length));
  // What an id cannot have would stand for anything.
  const isPart = name.length >= SHORTEST && /^[A-Za-z0-9-]+$/u.test(name);
  const found = await db
    .selectFrom('runs')
    .select('id')
    .where((eb) =>
      eb.or([eb('id', '=', name), ...(isPart ? [eb('id', 'like', `${name}%`), eb('id', 'like', `%${name}`)] : [])]),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(SHOWN + 1)
    .execute();
  const ids = found.map(({ id }) => id);
  if (ids.includes(name)) return name;
  const [only, ...others] = ids;
  if (only === undefined)
    throw new OfferlineError('not-found', `There is no run ${name}; \`offerline runs\` lists them.`);
  if (others.length === 0) return only;
  const more = ids.length > SHOWN ? ', …' : '';
  throw new OfferlineError(
    'usage',
    `${name} fits several runs: ${ids.slice(0, SHOWN).join(', ')}${more}. Write more of the id.`,
  );
}

async function latest(db: Db, feed: string): Promise<string> {
  let query = db.selectFrom('runs').select('id').orderBy('created_at', 'desc').orderBy('id', 'desc').limit(1);
  if (feed !== '') query = query.where('feed', '=', feed);
  const run = await query.executeTakeFirst();
  if (run !== undefined) return run.id;
  const whose = feed === '' ? '' : ` of a feed ${feed}`;
  throw new OfferlineError('not-found', `There is no run${whose} yet; \`offerline runs\` lists them.`);
}
