import { publicOrigin } from '../config/public-origin.ts';
import { hasSupplierPage, isSameSupplier, supplierMark } from '../config/supplier.ts';
import type { Context } from '../context.ts';
import { OfferlineError } from '../errors.ts';
import type { Db } from '../ledger/ledger.ts';
import { dictionary, own } from '../io/dictionary.ts';
import { countFailures, forgetUncounted, holdSubjects, rememberKnown, signInsOf } from '../ledger/access/sign-ins.ts';
import {
  claimLinks,
  deleteMailLinks,
  endLinksOf,
  endLinksOfSupplier,
  findLink,
  insertLink,
  linksOf,
  ownersOfOpenLinks,
  usedLink,
} from '../ledger/access/supplier-links.ts';
import { recordDecision } from '../ledger/alerts/audit.ts';
import { leaveNote, readNote } from '../ledger/alerts/notes.ts';
import { timeId } from '../ledger/ids.ts';
import type { SupplierLinkRow } from '../ledger/schema/schema.ts';
import { recordRefusal } from './refusals.ts';
import { newSecret, secretHash } from './secret.ts';
import { FORGOTTEN_AFTER, linkSubjectsOf, linkWaitUntil } from './throttle.ts';
import type { By } from './users.ts';

type Access = Pick<Context, 'config' | 'ledger'>;

/** How the secret of a link begins shows scanners of secrets what it is. */
const PREFIX = 'ofs_';
const SECRET = /^ofs_[\w-]{43}$/u;

/** Earlier links of one mail that stay when it is written anew: a server that did not answer may have taken it all the same. */
const KEPT_OF_MAIL = 2;

/** Who makes a link: a user, or a mail that is about to be sent. */
type Maker = By | { mail: string };

/** A link that was made: its secret is here and nowhere else. */
export type MadeLink = { id: string; secret: string; expires: number };

/** What is shown of a link: never its secret. */
type ShownLink = Omit<SupplierLinkRow, 'secret_hash' | 'supplier'> & { open: boolean };

/** Whom a secret lets in: the link; null: nobody; or in how many milliseconds it may be tried again. */
export type LetIn = { link: Pick<SupplierLinkRow, 'id' | 'feed' | 'expires_at'> } | { again: number } | null;

/** The address that opens the page of a link. */
export function linkAddress(secret: string, origin: string): string {
  return `${origin}/supplier/open/${secret}`;
}

/**
 * Makes a link to the page of a feed's supplier; with `rotate` all others end. One that goes with a mail takes the place of those that the mail had
 * when it could not be sent. Fails with `conflict` for a feed whose supplier has no page.
 */
export async function makeLink(
  { feed, rotate }: { feed: string; rotate: boolean },
  by: Maker,
  { config, ledger }: Access,
): Promise<MadeLink> {
  if (!hasSupplierPage(config, feed))
    throw new OfferlineError(
      'conflict',
      `The supplier of the feed ${feed} has no page. Set feeds.${feed}.supplier.page: true in the configuration.`,
    );
  const at = await ledger.now();
  const [id, secret] = [timeId(at), newSecret(PREFIX)];
  const expires = at + (own(config.feeds, feed)?.supplier?.pageExpires ?? 0);
  await ledger.transaction(async (trx) => {
    const ended = rotate ? await endLinksOf(trx, feed, at) : 0;
    await insertLink(trx, {
      id,
      feed,
      supplier: supplierMark(config, feed),
      secret_hash: secretHash(secret),
      created_by: 'mail' in by ? byMail(by.mail) : by.who,
      created_at: at,
      expires_at: expires,
      used_at: null,
      ended_at: null,
    });
    if ('mail' in by) return deleteMailLinks(trx, byMail(by.mail), { link: id, others: KEPT_OF_MAIL });
    const reason = rotate ? `link ${id} in place of ${ended} others` : `link ${id}`;
    await recordDecision(trx, { at, action: 'make-link', subject: `feed ${feed}`, reason, ...by });
  });
  return { id, secret, expires };
}

function byMail(id: string): string {
  return `mail ${id}`;
}

/** The address of a new link for a mail to the supplier of a feed; null where that has no page, or nobody said where the console is. */
export async function linkForMail(feed: string, by: Maker, ctx: Access): Promise<string | null> {
  const origin = publicOrigin(ctx.config);
  if (origin === null || !hasSupplierPage(ctx.config, feed)) return null;
  const { secret } = await makeLink({ feed, rotate: false }, by, ctx);
  return linkAddress(secret, origin);
}

/** Forgets the links of a mail that went without them, or never goes. */
export async function forgetMailLinks(mail: string, trx: Db): Promise<void> {
  await deleteMailLinks(trx, byMail(mail), { link: null, others: 0 });
}

/**
 * Ends the links of feeds that are no longer in the configuration or have another supplier now, so that they do not open the page of the next one. Links
 * that were made before it was kept for whom are those of the supplier that the feed has.
 */
export async function endLinksOfGone({ config, ledger, log }: Access & Pick<Context, 'log'>): Promise<void> {
  const at = await ledger.now();
  await noteSuppliers(at, { config, ledger });
  for (const { feed, supplier } of await ownersOfOpenLinks(ledger.db, at)) {
    if (own(config.feeds, feed) === undefined) {
      const links = await endLinksOf(ledger.db, feed, at);
      log.info({ feed, links }, 'links to the page of a removed feed ended');
    } else if (supplier === null) await claimLinks(ledger.db, { feed, supplier: supplierMark(config, feed) });
    else if (!isSameSupplier(config, feed, supplier)) {
      const links = await endLinksOfSupplier(ledger.db, { feed, supplier }, at);
      log.info({ feed, links }, 'links to the page of an earlier supplier ended');
    }
  }
}

/** Since when the deliveries of a feed are those of the supplier that it has now; 0 where no other one is known. Before that is noted: since now. */
export async function supplierSince(feed: string, { config, ledger }: Access): Promise<number> {
  const noted = own((await readNote(ledger.db, 'suppliers')) ?? {}, feed);
  if (noted === undefined) return 0;
  return isSameSupplier(config, feed, noted.mark) ? noted.since : ledger.now();
}

/** Notes who the suppliers of all feeds are, and since when where another one was noted. */
async function noteSuppliers(at: number, { config, ledger }: Access): Promise<void> {
  await ledger.transaction(async (trx) => {
    const before = (await readNote(trx, 'suppliers')) ?? {};
    const now = Object.keys(config.feeds).map((feed) => {
      const noted = own(before, feed);
      const isSame = noted === undefined || isSameSupplier(config, feed, noted.mark);
      return [feed, { mark: supplierMark(config, feed), since: isSame ? (noted?.since ?? 0) : at }] as const;
    });
    // Of feeds that are gone as well: their names may be used again.
    await leaveNote(trx, 'suppliers', { ...before, ...dictionary(now) });
  });
}

/**
 * Ends the links to the page of a feed's supplier, also of one that is no longer in the configuration, or the one with an id; answers how many there
 * were. Fails with `not-found` where there is no such feed or link.
 */
export async function endLinks(
  feed: string,
  by: By,
  { config, ledger }: Access,
  link: string | null = null,
): Promise<number> {
  const at = await ledger.now();
  return ledger.transaction(async (trx) => {
    const ended = await endLinksOf(trx, feed, at, link);
    if (ended === 0 && link !== null)
      throw new OfferlineError('not-found', `The feed ${feed} has no link ${link} that is open. See them with --list.`);
    if (ended === 0 && own(config.feeds, feed) === undefined)
      throw new OfferlineError('not-found', `There is no feed ${feed} in the configuration.`);
    const reason = link === null ? `${ended} ended` : `link ${link} ended`;
    await recordDecision(trx, { at, action: 'end-links', subject: `feed ${feed}`, reason, ...by });
    return ended;
  });
}

/** The links to the page of a feed's supplier as they are shown, the newest first. */
export async function listLinks(feed: string, { config, ledger }: Access): Promise<ShownLink[]> {
  const now = await ledger.now();
  return (await linksOf(ledger.db, feed)).map((row) => {
    const { secret_hash: _hash, supplier: _supplier, ...shown } = row;
    return Object.assign(shown, { open: opens(row, now, config) });
  });
}

function opens(
  { feed, supplier, ended_at: ended, expires_at: expires }: SupplierLinkRow,
  now: number,
  config: Access['config'],
): boolean {
  const isTheirs = supplier === null || isSameSupplier(config, feed, supplier);
  return ended === null && expires > now && hasSupplierPage(config, feed) && isTheirs;
}

/**
 * Whom a secret lets in. What was never a link, has ended or expired, or is of a feed without a page or with another supplier is all the same. From a network that has
 * opened too many wrong links, only links of feeds are let in whose links were opened from there before. `id`: of the link, where the address names it.
 */
export async function letIn(
  { secret, id, address }: { secret: string; id: string | null; address: string | null },
  { config, ledger }: Access,
): Promise<LetIn> {
  const now = await ledger.now();
  const found = await findLink(ledger.db, secretHash(secret));
  const isOpen = found !== undefined && opens(found, now, config) && (id === null || found.id === id);
  const subjects = linkSubjectsOf(isOpen ? found.feed : '', address);
  const counted = await signInsOf(ledger.db, Object.values(subjects));
  const end = linkWaitUntil(
    counted.find(({ subject }) => subject === subjects.guesses),
    now,
  );
  const isKnown = isOpen && counted.some(({ subject }) => subject === subjects.known);
  if (end !== null && !isKnown) return { again: end - now };
  return isOpen ? { link: found } : null;
}

/** Whether a secret that let nobody in may be a guess. What is not shaped like one can hit none, and old mails have links that have ended. */
export async function isGuess(secret: string, { ledger }: Pick<Access, 'ledger'>): Promise<boolean> {
  return SECRET.test(secret) && (await findLink(ledger.db, secretHash(secret))) === undefined;
}

/** Writes down that a link was opened, and from where. */
export async function openedLink(
  { id, feed }: Pick<SupplierLinkRow, 'id' | 'feed'>,
  address: string | null,
  { ledger }: Pick<Access, 'ledger'>,
): Promise<void> {
  const at = await ledger.now();
  await ledger.transaction(async (trx) => {
    await usedLink(trx, id, at);
    await rememberKnown(trx, linkSubjectsOf(feed, address).known, at);
  });
}

/** Counts a wrong link; answers in how many milliseconds the next may be tried, null: at once. Many at once are no way round the limit. */
export async function countWrongLink(
  address: string | null,
  { ledger, log }: Pick<Context, 'ledger' | 'log'>,
): Promise<number | null> {
  const now = await ledger.now();
  const { guesses } = linkSubjectsOf('', address);
  const end = await ledger.transaction(async (trx) => {
    await holdSubjects(trx, [guesses], now);
    const [counted] = await signInsOf(trx, [guesses]);
    const until = linkWaitUntil(counted, now);
    if (until === null) await countFailures(trx, [guesses], { at: now, since: now - FORGOTTEN_AFTER });
    else await forgetUncounted(trx, [guesses]);
    return until;
  });
  const reason = end === null ? 'no such link, or it has ended' : 'too many wrong links';
  log.warn({ address, reason }, 'supplier page refused');
  await recordRefusal({ who: null, what: 'supplier page', reason, via: 'console', origin: address }, { ledger });
  return end === null ? null : end - now;
}
