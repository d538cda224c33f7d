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
import type { Visit } from '../visit.ts';

/** How a decision stands that needs a second person. `isOwn`: the visitor is the one who asked. */
export type Second = { waiting: RequestRow | null; isOwn: boolean };

/** How the approval of a run stands; null where one person is enough. */
export async function secondOfRun(run: RunRow, visit: Visit): Promise<Second | null> {
  if (run.outcome !== 'held' || run.rows_sha === null || !(await approvalNeedsSecond(run, visit.ctx))) return null;
  return secondOf(`feed ${run.feed}`, ({ run: asked }) => asked === run.id, visit);
}

/** How a rollback of a login stands; null where one person is enough. */
export async function secondOfLogin(login: string, visit: Visit): Promise<Second | null> {
  return rollbackNeedsSecond(login, visit.ctx.config) ? secondOf(`login ${login}`, () => true, visit) : null;
}

async function secondOf(
  scope: string,
  isMeant: (row: RequestRow) => boolean,
  { ctx, visitor }: Visit,
): Promise<Second> {
  const row = await waitingRequest(ctx.ledger.db, scope);
  if (row === undefined || !isMeant(row) || row.ends_at <= ctx.clock.now()) return { waiting: null, isOwn: false };
  const isOwn = await areSameAskers(row, { known_as: visitor.name, owner: visitor.owner ?? null }, ctx);
  return { waiting: row, isOwn };
}

/** Says who asked, for everybody who sees the page. */
export function waitingNotice(second: Second | null, { say, moment }: Language): Part {
  if (second === null || second.waiting === null) return null;
  const { known_as: who, reason, ends_at } = second.waiting;
  return html`<p class="say waiting"><bdi>${say('web.ask.waits', { who, reason, until: moment(ends_at) })}</bdi></p>`;
}

/** The form of a decision as it is for this visitor: to decide alone, to ask, or to agree or decline; whoever asked can withdraw it. */
export function secondForms(form: DecisionForm, second: Second | null, { say }: Language): DecisionForm[] {
  if (second === null) return [form];
  const { waiting, isOwn } = second;
  if (waiting === null) {
    const title = say(form.action.endsWith('/rollback') ? 'web.ask.rollback' : 'web.ask.approve');
    return [{ ...form, title, says: [...form.says, say('web.ask.says')], button: title }];
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
  const { woken } = await visit.call('agree', { request: row.id, owner: visit.visitor.owner, reason });
  return doneAt(pageOf(row), 'agree', woken);
}

/** Declines what somebody else asked for, or withdraws what the visitor asked for. */
export async function declineRequest(visit: Visit): Promise<Answer> {
  const row = await namedRequest(visit);
  const reason = visit.form.get('reason') ?? '';
  await visit.call('decline', { request: row.id, owner: visit.visitor.owner, reason });
  return doneAt(pageOf(row), 'decline');
}

/** Where what is asked for is decided. */
function pageOf({ run, login }: RequestRow): string {
  return run === null ? `/logins/${encodeURIComponent(login)}` : `/runs/${run}`;
}
