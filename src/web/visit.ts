import type { TokenRole, Visitor } from '../access/visitor.ts';
import type { LoadedConfig } from '../config/load.ts';
import type { Context } from '../context.ts';
import { OfferlineError } from '../errors.ts';
import type { Language } from '../wording/language/language.ts';
import type { Operation, OperationName } from './actions/operations.ts';
import type { Cell } from './live/cells.ts';
import type { Memo } from './memo.ts';
import type { MirroredGauges } from './thread/gauges.ts';
import type { Asker } from './actions/world.ts';
import type { CallMain } from './thread/protocol.ts';

/** What all requests share. */
export type WebWorld = { ctx: Context; loaded: LoadedConfig; gauges: MirroredGauges; call: CallMain; memo: Memo };

/** Who looks at a page. Without a session: the read-only visitor of a console on this machine that has no users. */
export type Looker = Visitor & {
  signedIn: boolean;
  /** The id of their token: two may have one name. */
  token?: string;
  /** Who made their token. */
  owner?: string;
  /** Who they are to the provider that signed them in. */
  provider?: string;
  /** When the ledger was told another thing of them last, where a proxy signs them in. */
  changed?: number;
};

/** One request, with everything that its answer is made of. */
export type Visit = {
  ctx: Context;
  world: WebWorld;
  visitor: Looker;
  language: Language;
  /** The address that was asked for; its origin means nothing. */
  url: URL;
  params: Readonly<Record<string, string>>;
  /** The fields of the form that was sent. */
  form: URLSearchParams;
  /** The JSON that was sent. */
  json: unknown;
  /** The token of the session, if there is one. */
  session: string | null;
  /** What the browser keeps of earlier sign-ins. */
  device: string | null;
  /** What the browser keeps while its user is at the provider. */
  flow: string | null;
  /** The body of a route that reads it itself. */
  request: Request;
  /** Says that the file may come, to a client that asked before it sends one (`Expect: 100-continue`). */
  letBodyCome: () => void;
  /** Who it is that sent the request, looked at anew: a file may take hours to come. Null when nobody is known any more. */
  lookAgain: () => Promise<Looker | null>;
  /** Only the cells of the page are wanted: what stands around them may be left out. */
  onlyCells: boolean;
  cell: Cell;
  /** Has the working process do something in the visitor's name. */
  call: <Name extends OperationName>(
    name: Name,
    args: Parameters<Operation<Name>>[0],
  ) => Promise<Awaited<ReturnType<Operation<Name>>>>;
};

/** The visitor as the audit names it. */
export function askerOf({ name, via, origin }: Looker): Asker {
  return { who: name, via, origin };
}

/** The token of a visitor who decides, and who made it: what tells people apart besides their names. */
export function tokenOf({ token, owner }: Looker): Pick<Looker, 'token' | 'owner'> {
  return { ...(token === undefined ? {} : { token }), ...(owner === undefined ? {} : { owner }) };
}

/** What tells whoever sends files from all others. */
export function senderOf({ token, name }: Looker): string {
  return token ?? name;
}

/** Whether the visitor is offered what a rule lets people do: a form that is sent is judged by its route. */
export function mayDo(rule: readonly TokenRole[], { visitor }: Pick<Visit, 'visitor'>): boolean {
  return visitor.signedIn && rule.includes(visitor.role);
}

/** Whether the visitor sees a feed; null: what is of no single feed, which only those see who see all. */
export function sees(feed: string | null, { visitor: { feeds } }: Pick<Visit, 'visitor'>): boolean {
  return feeds === null || (feed !== null && feeds.includes(feed));
}

/** Fails with `not-found` for what belongs to a feed that the visitor does not see: that it exists is not said either. */
export function assertSees(feed: string | null, visit: Pick<Visit, 'visitor'>, what: string): void {
  if (sees(feed, visit)) return;
  throw new OfferlineError('not-found', `There is no ${what}, or it is of no feed that you see.`);
}
