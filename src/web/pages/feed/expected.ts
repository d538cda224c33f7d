import type { FeedState } from '../../../jobs/standing/feed-state.ts';
import { expectationOf, type Expectation } from '../../../jobs/standing/feed/expectation.ts';
import { html, type Html, type Part } from '../../../wording/html.ts';
import { decisionForm } from '../../parts/decision.ts';
import { doneAt } from '../../parts/done.ts';
import { moment } from '../../parts/moment.ts';
import { namedFeed } from '../../named.ts';
import { MAY, type Answer } from '../../route.ts';
import { mayDo, type Visit } from '../../visit.ts';

/** When a feed is run, when its supplier is expected to deliver, and the days on which it does not. */
export async function scheduleSection({ feed, schedule: at, nextDue }: FeedState, visit: Visit): Promise<Html> {
  const { ctx, language, visitor } = visit;
  const { say } = language;
  const { expires } = ctx.config.feeds[feed]!;
  const expectation = await expectationOf(feed, visitor.feeds, ctx);
  return html`<section>
    <h2>${say('web.feed.schedule')}</h2>
    <dl class="facts">
      <dt>${say('web.feed.cron')}</dt>
      <dd>${at === null ? say('web.feed.noSchedule') : html`<code>${at.cron}</code> ${at.timezone}`}</dd>
      <dt>${say('web.feed.next')}</dt>
      <dd>${moment(nextDue, language)}</dd>
      <dt>${say('web.feed.delivered')}</dt>
      <dd>${moment(expectation.last, language)}</dd>
      ${expected(expectation, visit)}
      ${expectation.away.map(
        ({ from, to, who, reason }) =>
          html`<dt>${say('web.feed.away')}</dt>
            <dd class="say waiting">${daysText(from, to)}, ${who}: <bdi>${reason}</bdi></dd>`,
      )}
      ${
        expires !== undefined &&
        html`<dt>${say('web.feed.expires')}</dt>
          <dd>${language.span(expires)}</dd>`
      }
    </dl>
  </section>`;
}

function expected({ expectEvery, expect, timezone, dueAt, lateAt, late }: Expectation, { language }: Visit): Part {
  const { say } = language;
  const from =
    lateAt !== null &&
    html`<span class="say ${late ? 'bad' : 'quiet'}"
      >${say(late ? 'web.feed.lateSince' : 'web.feed.lateFrom')} ${moment(lateAt, language)}</span
    >`;
  if (expectEvery !== null)
    return html`<dt>${say('web.feed.expected')}</dt>
      <dd>${language.span(expectEvery)} ${from}</dd>`;
  if (expect === null) return null;
  const many = expect.times === undefined ? '' : ` × ${language.number(expect.times)}`;
  return html`<dt>${say('web.feed.expectedBy')}</dt>
    <dd><code>${expect.days.join(', ')}</code> <code>${expect.by.join(', ')}${many}</code> ${timezone}</dd>
    <dt>${say('web.feed.due')}</dt>
    <dd>${moment(dueAt, language)} ${from}</dd>`;
}

/** The forms that say that a supplier delivers nothing on some days, and that take it back. */
export async function awayForms(feed: string, visit: Visit): Promise<Part> {
  if (!mayDo(MAY.operate, visit)) return null;
  const { ctx, language, visitor } = visit;
  const { say } = language;
  const { away } = await expectationOf(feed, visitor.feeds, ctx);
  const address = `/feeds/${encodeURIComponent(feed)}/away`;
  const nothing = { risk: false, text: say('web.twice.nothing') };
  const field = (name: 'from' | 'to') =>
    html`<p>
      <label for="away-${name}">${say(`web.away.${name}`)}</label>
      <input id="away-${name}" type="date" name="${name}" required />
    </p>`;
  const announce = decisionForm(
    {
      title: say('web.away.title'),
      says: [say('web.away.says', { feed })],
      twice: nothing,
      action: address,
      fields: [field('from'), field('to')],
      reason: true,
      button: say('web.away.title'),
    },
    language,
  );
  const revoke = away.map(({ from, to }) =>
    decisionForm(
      {
        title: say('web.away.revoke'),
        says: [say('web.away.revoke.says', { feed, days: daysText(from, to) })],
        twice: nothing,
        action: `${address}/${from}/${to}/revoke`,
        reason: true,
        button: say('web.away.revoke'),
      },
      language,
    ),
  );
  return [announce, ...revoke];
}

function daysText(from: string, to: string): string {
  return from === to ? from : `${from} – ${to}`;
}

/** Records days on which a supplier delivers nothing. */
export async function announceAway(visit: Visit): Promise<Answer> {
  const feed = namedFeed(visit);
  const { form } = visit;
  const days = `${form.get('from') ?? ''}/${form.get('to') ?? ''}`;
  await visit.call('announceAway', { feed, days, reason: form.get('reason') ?? '' });
  return doneAt(`/feeds/${encodeURIComponent(feed)}`, 'away');
}

/** Takes such days back. */
export async function revokeAway(visit: Visit): Promise<Answer> {
  const feed = namedFeed(visit);
  const days = `${visit.params['from'] ?? ''}/${visit.params['to'] ?? ''}`;
  await visit.call('revokeAway', { feed, days, reason: visit.form.get('reason') ?? '' });
  return doneAt(`/feeds/${encodeURIComponent(feed)}`, 'revoke-away');
}
