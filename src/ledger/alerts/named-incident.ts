import { OfferlineError } from '../../errors.ts';
import type { Db } from '../ledger.ts';
import type { IncidentRow } from '../schema/schema.ts';

/** Fewer characters of an id are too easily those of another incident. */
const SHORTEST = 3;

/** Incidents that are named when a name fits several. */
const SHOWN = 5;

/**
 * The incident that a person means: by its id, or by the beginning or the end of it as long as no other has it. Throws `not-found`, and
 * `usage` for a name that fits several.
 */
export async function getIncident(db: Db, named: string): Promise<IncidentRow> {
  const name = named.toLowerCase();
  // What an id cannot have would stand for anything.
  const isPart = name.length >= SHORTEST && /^[A-Za-z0-9-]+$/u.test(name);
  const found = await db
    .selectFrom('incidents')
    .selectAll()
    .where((eb) =>
      eb.or([eb('id', '=', name), ...(isPart ? [eb('id', 'like', `${name}%`), eb('id', 'like', `%${name}`)] : [])]),
    )
    .orderBy('opened_at', 'desc')
    .orderBy('id', 'desc')
    .limit(SHOWN + 1)
    .execute();
  const exact = found.find(({ id }) => id === name);
  if (exact !== undefined) return exact;
  const [only, ...others] = found;
  if (only === undefined)
    throw new OfferlineError('not-found', `There is no incident ${name}; \`offerline incidents --all\` lists them.`);
  if (others.length === 0) return only;
  const ids = found.map(({ id }) => id);
  const more = ids.length > SHOWN ? ', …' : '';
  throw new OfferlineError(
    'usage',
    `${name} fits several incidents: ${ids.slice(0, SHOWN).join(', ')}${more}. Write more of the id.`,
  );
}
