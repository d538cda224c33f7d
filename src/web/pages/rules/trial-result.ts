import type { LiveInstead } from '../../../jobs/trial/live-instead.ts';
import type { TriedDelivery, TriedRule } from '../../../jobs/trial/try-delivery.ts';
import type { TriedRules } from '../../../jobs/trial/try-rules.ts';
import type { RuleExample } from '../../../model.ts';
import { placeWords } from '../../../wording/files/place.ts';
import { html, type Html, type Part } from '../../../wording/html.ts';
import type { Language } from '../../../wording/language/language.ts';
import type { RunEnd } from '../../../wording/managers/run-words.ts';
import { brandsTable } from '../../parts/brands.ts';
import { moment } from '../../parts/moment.ts';
import { runReason } from '../../parts/reasons/said.ts';
import { table } from '../../parts/table.ts';
import { sees, type Visit } from '../../visit.ts';

/** So many deliveries are shown one by one. */
const SHOWN = 50;

/** What rules would do: to what is live, to all deliveries that were tried, and to each of them. */
export function trialResult(tried: TriedRules, visit: Visit): Html {
  const { language } = visit;
  const { say } = language;
  const { deliveries, left } = tried;
  return html`<p class="stamp">${say('web.trial.stamp')}</p>
    ${live(tried.live, visit)} ${inAll(tried, language)}
    <div class="trial">${deliveries.slice(0, SHOWN).map((delivery) => one(delivery, language))}</div>
    ${deliveries.length > SHOWN && html`<p class="note">${say('web.trial.more', { count: deliveries.length - SHOWN })}</p>`}
    ${left > 0 && html`<p class="note">${say('web.trial.left', { count: left })}</p>`}`;
}

/** What would be live instead. What becomes of other feeds is for those who see them. */
function live({ state, upon, feeds, diff, held, ended }: LiveInstead, visit: Visit): Html {
  const { language } = visit;
  const { say, number } = language;
  const heading = html`<h2>${say('web.trial.live')}</h2>`;
  if (state !== 'compared') {
    const said = say(state === 'nothing' ? 'web.trial.nothingLive' : 'web.trial.unknown');
    return html`${heading}
      <p>${said}</p>
      ${ended !== null && reason(ended, language)}`;
  }
  const seen = feeds.filter(({ feed }) => sees(feed, visit));
  const columns = [
    { title: say('web.part.feed') },
    { title: say('web.rehearsal.before'), number: true as const },
    { title: say('web.rehearsal.after'), number: true as const },
  ];
  const rows = seen.map(({ feed, before, after }): Part[] => [feed, number(before), number(after)]);
  const change = seen.length === feeds.length ? diff : null;
  return html`${heading} ${table(say('web.trial.live'), columns, rows)}
  ${upon !== null && html`<p class="soft">${say('web.trial.changes')}</p>`}
  ${
    change !== null &&
    html`<p class="lead">
        ${say('web.approve.diff', { added: change.added, removed: change.removed, changed: change.changed })}
      </p>
      ${change.brands.length > 0 && brandsTable(change.brands, language)}`
  }
  ${
    held !== null &&
    html`<p class="reason held"><b>${say('web.trial.wouldBe.held')}</b> ${runReason(held.ended, language)}</p>`
  }`;
}

/** What each rule does to all deliveries; one that never acted is said to be such. */
function inAll({ rules, deliveries }: TriedRules, language: Language): Html {
  const { say, number } = language;
  const read = deliveries.filter(({ state }) => state === 'read').length;
  const columns = [
    { title: say('web.trial.rule') },
    { title: say('web.trial.does') },
    { title: say('web.check.count'), number: true as const },
    { title: say('web.trial.before'), number: true as const },
    { title: say('web.trial.deliveries'), number: true as const },
  ];
  const rows = rules.map(({ rule, does, rows: acted, before, deliveries: of }): Part[] => [
    html`<bdi>${rule}</bdi>`,
    doesTo(does, acted, language),
    number(acted),
    number(before),
    number(of),
  ]);
  return html`<h2>${say('web.trial.inAll', { count: read })}</h2>
    ${rows.length > 0 && table(say('web.trial.inAll', { count: read }), columns, rows)}
    ${rows.length === 0 && read > 0 && html`<p>${say('web.trial.noRules')}</p>`}`;
}

function one({ run, at, name, state, ended, upon, rows, rules }: TriedDelivery, language: Language): Html {
  const { say } = language;
  const heading = html`<h3>${moment(Date.parse(at), language)} <bdi>${name}</bdi></h3>`;
  const link = html`<a href="/runs/${run}">${run}</a>`;
  if (state === 'gone')
    return html`${heading}
      <p class="soft">${say('web.trial.gone')} ${link}</p>`;
  if (state !== 'read')
    return html`${heading}
      <p class="reason ${state}">
        <b>${say(`web.trial.wouldBe.${state}`)}</b> ${ended !== null && runReason(ended, language)}
      </p>
      <p class="soft">${link}</p>`;
  const { before, after } = rows;
  const { read, accepted, leftOut } = after!;
  const counts =
    before === null
      ? say('web.trial.rowsNew', { read, accepted, leftOut })
      : say('web.trial.rows', { read, accepted, leftOut, before: before.accepted });
  return html`${heading}
    <p>${counts} ${link}</p>
    ${upon !== null && html`<p class="soft">${say('web.trial.changes')}</p>`}
    ${rules.length > 0 && ruleTable(rules, language)}`;
}

function ruleTable(rules: TriedRule[], language: Language): Html {
  const { say, number } = language;
  const columns = [
    { title: say('web.trial.rule') },
    { title: say('web.trial.does') },
    { title: say('web.check.count'), number: true as const },
    { title: say('web.trial.before'), number: true as const },
    { title: say('web.trial.examples') },
  ];
  const rows = rules.map(({ rule, does, rows: acted, before, full, examples }): Part[] => [
    html`<bdi>${rule}</bdi>`,
    [
      acted === null ? say('web.trial.noMore') : doesTo(does, acted, language),
      full > 0 && html`<br />${say('web.trial.full', { count: full })}`,
    ],
    acted === null ? '–' : number(acted),
    before === null ? say('web.trial.new') : number(before),
    examples.map((example) => html`${exampleText(example, language)}<br />`),
  ]);
  return table(say('web.trial.rule'), columns, rows);
}

function doesTo(does: TriedRule['does'], rows: number, { say }: Language): Part {
  return rows === 0 ? html`<b>${say('web.trial.never')}</b>` : say(`web.trial.does.${does}`);
}

function exampleText({ part, cells, file, sheet, line }: RuleExample, { say }: Language): Html {
  const changes = cells.map(
    ({ column, before, after }) => html`; ${column}: <bdi>${before}</bdi> → <bdi>${after}</bdi>`,
  );
  const place =
    sheet === null && file === undefined ? `${say('web.rows.line')} ${line}` : placeWords({ file, sheet, line });
  return html`<bdi>${place}</bdi> <bdi>${part}</bdi>${changes}`;
}

function reason(ended: RunEnd, language: Language): Html {
  return html`<p class="reason ${ended.outcome}">${runReason(ended, language)}</p>`;
}
