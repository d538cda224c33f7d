import { dictionary } from '../../io/dictionary.ts';
import { othersMayDecide } from '../../jobs/decisions/second/deciders.ts';
import { areSameAskers } from '../../jobs/decisions/second/person.ts';
import { approvalNeedsSecond, rollbackNeedsSecond } from '../../jobs/decisions/second/needs.ts';
import { waitingRequest } from '../../ledger/alerts/requests.ts';
import type { RequestRow, RunRow } from '../../ledger/schema/schema.ts';
import { html, type Part } from '../../wording/html.ts';
import type { Language } from '../../wording/language/language.ts';
import { namedRequest } from '../named.ts';
import type { DecisionForm } from '../parts/decision.ts';
import { doneAt } from '../parts/done.ts';
import type { Answer } from '../route.ts';
import { tokenOf, type Visit } from '../visit.ts';

/**
 * How a decision stands that needs a second person. `isOwn`: the visitor is the one who asked; `isAlone`: nobody else could agree to what the visitor
 * asked for, or is about to ask for.
 */
export type Second = { waiting: RequestRow | null; isOwn: boolean; isAlone: boolean };

/** How the approval of a run stands; null where one person is enough. */
export async function secondOfRun(run: RunRow, visit: Visit): Promise<Second | null> {
  if (run.outcome !== 'held' || run.rows_sha === null || !(await approvalNeedsSecond(run, visit.ctx))) return null;
  return secondOf(`feed ${run.feed}`, run.feed, ({ run: asked }) => asked === run.id, visit);
}

/** How a rollback of a login stands; null where one person is enough. */
export async function secondOfLogin(login: string, visit: Visit): Promise<Second | null> {
  return rollbackNeedsSecond(login, visit.ctx.config) ? secondOf(`login ${login}`, null, () => true, visit) : null;
}

async function secondOf(
  scope: string,
  feed: string | null,
  isMeant: (row: RequestRow) => boolean,
  { ctx, visitor }: Visit,
): Promise<Second> {
  const row = await waitingRequest(ctx.ledger.db, scope);
  const asker = { known_as: visitor.name, token: visitor.token ?? null, owner: visitor.owner ?? null };
  const isWaiting = row !== undefined && isMeant(row) && row.ends_at > (await ctx.ledger.now());
  const isOwn = isWaiting && (await areSameAskers(row, asker, ctx));
  const isAlone = (isOwn || !isWaiting) && !(await othersMayDecide(asker, feed, ctx));
  return { waiting: isWaiting ? row : null, isOwn, isAlone };
}

/** Says who asked, for everybody who sees the page. */
export function waitingNotice(second: Second | null, { say, moment }: Language): Part {
  if (second === null || second.waiting === null) return null;
  const { known_as: who, reason, ends_at } = second.waiting;
  const until = moment(ends_at);
  const sentence = isolated({ who, reason }, (places) => say('web.ask.waits', { ...places, until }));
  return html`<p class="say waiting">${sentence}</p>
    ${second.isAlone && html`<p class="say bad">${say('web.ask.alone')}</p>`}`;
}

/** Letters that nobody writes, in the place of what is put in afterwards. */
const PLACE = '\uE000';

/**
 * A sentence with words of others in it, each apart from the direction in which the sentence is written. `say` is given what to put in the place of
 * each of them.
 */
function isolated<Name extends string>(
  words: Readonly<Record<Name, string>>,
  say: (places: Record<Name, string>) => string,
): Part {
  const names = Object.keys(words) as Name[];
  const places = dictionary(names.map((name, at) => [name, `${PLACE}${at}${PLACE}`])) as Record<Name, string>;
  return say(places)
    .split(PLACE)
    .map((piece, at) => (at % 2 === 0 ? piece : html`<bdi>${words[names[Number(piece)]!]}</bdi>`));
}

/** The form of a decision as it is for this visitor: to decide alone, to ask, or to agree or decline; whoever asked can withdraw it. */
export function secondForms(form: DecisionForm, second: Second | null, { say }: Language): DecisionForm[] {
  if (second === null) return [form];
  const { waiting, isOwn, isAlone } = second;
  if (waiting === null) {
    const title = say(form.action.endsWith('/rollback') ? 'web.ask.rollback' : 'web.ask.approve');
    return [
      {
        ...form,
        title,
        says: [...form.says, say('web.ask.says'), ...(isAlone ? [say('web.ask.alone')] : [])],
        button: title,
      },
    ];
  }
  const address = `/requests/${waiting.id}`;
  const title = say(isOwn ? 'web.withdraw.title' : 'web.decline.title');
  const decline: DecisionForm = {
    title,
    says: [say('web.decline.says')],
    twice: { risk: false, text: say('web.twice.nothing') },
    action: `${address}/decline`,
    reason: true,
    button: title,
  };
  if (isOwn) return [decline];
  const { upload } = waiting;
  const agree: DecisionForm = {
    ...form,
    title: say('web.agree.title'),
    says: [...form.says, ...(upload === null ? [] : [say('web.agree.rollback', { upload })])],
    action: `${address}/agree`,
    // Only what was asked for can be agreed to, and rehearsed before.
    fields: upload === null ? form.fields : html`<input type="hidden" name="to" value="${upload}" />`,
    button: say('web.agree.button'),
  };
  return [agree, decline];
}

/** Agrees to what somebody else asked for. */
export async function agreeRequest(visit: Visit): Promise<Answer> {
  const row = await namedRequest(visit);
  const reason = visit.form.get('reason') ?? '';
  const { woken } = await visit.call('agree', { request: row.id, ...tokenOf(visit.visitor), reason });
  return doneAt(pageOf(row), 'agree', woken);
}

/** Declines what somebody else asked for, or withdraws what the visitor asked for. */
export async function declineRequest(visit: Visit): Promise<Answer> {
  const row = await namedRequest(visit);
  const reason = visit.form.get('reason') ?? '';
  await visit.call('decline', { request: row.id, ...tokenOf(visit.visitor), reason });
  return doneAt(pageOf(row), 'decline');
}

/** Where what is asked for is decided. */
function pageOf({ run, login }: RequestRow): string {
  return run === null ? `/logins/${encodeURIComponent(login)}` : `/runs/${run}`;
}
