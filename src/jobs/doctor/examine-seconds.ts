import type { Config } from '../../config/schema/schema.ts';
import type { Context } from '../../context.ts';
import { own } from '../../io/dictionary.ts';
import { decidersOf } from '../decisions/second/deciders.ts';
import { approvalSecond, rollbackNeedsSecond } from '../decisions/second/needs.ts';
import { peopleApart } from '../decisions/second/person.ts';
import type { Finding } from './doctor-ledger.ts';

/** So many names are said at most. */
const MOST = 5;

/** What needs a second person, while there is none in the console. At a terminal names are not proved, so somebody can always agree there. */
export async function examineSeconds(ctx: Context): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const { what, of, about } of decisionsOfTwo(ctx.config)) {
    const alone = new Map<string, string[]>();
    for (const name of of) {
      const who = await whoIsAlone(about === 'feed' ? name : null, ctx);
      if (who !== null) alone.set(who, [...(alone.get(who) ?? []), name]);
    }
    for (const [who, names] of alone) {
      const several =
        names.length > MOST ? `${names.slice(0, MOST).join(', ')} and ${names.length - MOST} more` : names.join(', ');
      const detail = `warning: a second person has to agree to ${what} of ${several}, and in the console ${who} may: add a user with \`offerline user add\``;
      found.push({ check: 'decisions', ok: true, detail });
    }
  }
  return found;
}

type Decisions = { what: 'approvals' | 'rollbacks'; of: string[]; about: 'feed' | 'login' };

function decisionsOfTwo(config: Config): Decisions[] {
  const feeds = Object.keys(config.feeds).filter((name) => {
    const second = approvalSecond({ feed: name, login: own(config.feeds, name)!.login }, config);
    return second === true || (Array.isArray(second) && second.length > 0);
  });
  const logins = Object.keys(config.logins).filter((name) => rollbackNeedsSecond(name, config));
  return [
    { what: 'approvals', of: feeds, about: 'feed' },
    { what: 'rollbacks', of: logins, about: 'login' },
  ];
}

/** Who alone may decide about a feed, or about a login as a whole (null); null where two people may. */
async function whoIsAlone(feed: string | null, ctx: Context): Promise<string | null> {
  const [first, ...others] = await decidersOf(feed, ctx);
  if (first === undefined) return 'nobody';
  const isSame = await peopleApart(ctx);
  for (const other of others) if (!(await isSame(first, other))) return null;
  return `only ${first.known_as}`;
}
