import { listAudit, type AuditLine } from '../../../jobs/standing/lists/audit.ts';
import { html, type Part } from '../../../wording/html.ts';
import { filterForm, filterPeriod, filterValue, periodFields } from '../../parts/filter.ts';
import { moment } from '../../parts/moment.ts';
import { pager, placeIn } from '../../parts/pager.ts';
import { table } from '../../parts/table.ts';
import type { Answer } from '../../route.ts';
import type { Visit } from '../../visit.ts';

const ACTIONS = [
  'approve',
  'ask-approve',
  'ask-rollback',
  'decline',
  'withdraw',
  'end-request',
  'accept-columns',
  'revoke-columns',
  'take-reading',
  'reject',
  'pause',
  'resume',
  'away',
  'revoke-away',
  'resolve',
  'rollback',
  'release',
  'take-proposal',
  'silence-proposal',
  'rerun',
  'ingest',
  'take-incident',
  'give-incident',
  'note-incident',
  'quiet-incident',
  'release-incident',
  'push',
  'test-hook',
  'replay-hook',
  'add-user',
  'change-user',
  'add-token',
  'rotate-token',
  'revoke-token',
  'make-link',
  'end-links',
  'refuse',
] as const satisfies AuditLine['action'][];

/** Who decided what, when, why, by which way and from where; the newest first. */
export async function auditPage(visit: Visit): Promise<Answer> {
  const { ctx, language, url, visitor } = visit;
  const { say } = language;
  const action = ACTIONS.find((one) => one === filterValue(url, 'action'));
  const filter = {
    feeds: visitor.feeds,
    who: filterValue(url, 'who'),
    actions: action === undefined ? undefined : [action],
    subject: filterValue(url, 'subject'),
    ...filterPeriod(visit),
  };
  const found = await listAudit(filter, placeIn(url), ctx);
  const columns = [
    'web.audit.when',
    'web.audit.who',
    'web.audit.what',
    'web.audit.about',
    'web.part.why',
    'web.audit.from',
  ] as const;
  const body = html`
    <h1>${say('web.nav.audit')}</h1>
    ${filterForm(
      url,
      [
        { name: 'who', label: say('web.audit.who'), type: 'search' },
        {
          name: 'action',
          label: say('web.audit.what'),
          options: ACTIONS.map((value) => ({ value, label: say(`web.audit.${value}`) })),
        },
        { name: 'subject', label: say('web.audit.about'), type: 'search' },
        ...periodFields(language),
      ],
      language,
    )}
    ${table(
      say('web.nav.audit'),
      columns.map((key) => ({ title: say(key) })),
      found.rows.map((line) => auditCells(line, visit)),
    )}
    ${pager(found, url, language)}
  `;
  return { page: { title: say('web.nav.audit'), body, section: '/audit' } };
}

function auditCells({ at, who, action, about, subject, reason, via, origin }: AuditLine, { language }: Visit): Part[] {
  return [
    moment(at, language),
    html`<bdi>${who}</bdi>`,
    language.say(`web.audit.${action}`),
    subjectLink(about, subject),
    html`<bdi>${reason}</bdi>`,
    html`${via} <span class="soft"><bdi>${origin}</bdi></span>`,
  ];
}

function subjectLink({ run, upload, incident, feed, login }: AuditLine['about'], subject: string): Part {
  if (incident !== undefined) return html`<a href="/incidents/${incident}">${incident}</a>`;
  if (run !== undefined) return html`<a href="/runs/${run}">${run}</a>`;
  if (upload !== undefined) return html`<a href="/uploads/${upload}">${upload}</a>`;
  if (feed !== undefined) return html`<a href="/feeds/${encodeURIComponent(feed)}">${feed}</a>`;
  return login === undefined ? subject : html`<a href="/logins/${encodeURIComponent(login)}">${login}</a>`;
}
