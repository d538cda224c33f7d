import { stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { attendance } from '../../jobs/doctor/attendance.ts';
import type { Finding } from '../../jobs/doctor/doctor-ledger.ts';
import { readNote } from '../../ledger/alerts/notes.ts';
import { openWork } from '../../ledger/maintenance/open-work.ts';
import { heldLeases } from '../../ledger/maintenance/held-leases.ts';
import { isInTrouble, workersNow } from '../../jobs/workers/workers-now.ts';
import { html, type Part } from '../../wording/html.ts';
import { moment } from '../parts/moment.ts';
import { table } from '../parts/table.ts';
import { runProgram } from '../program.ts';
import { MAY, type Answer } from '../route.ts';
import { mayDo, type Visit } from '../visit.ts';

/** The machinery: who sweeps, which workers there are, what is open, who holds which lease, how large everything is. */
export async function systemPage(visit: Visit): Promise<Answer> {
  return { page: { title: visit.language.say('web.nav.system'), body: await facts(visit, null), section: '/system' } };
}

/** The same with what `offerline doctor` finds now: it asks service, suppliers' servers, Redis and mail. */
export async function examineSystem(visit: Visit): Promise<Answer> {
  const answer = (await runProgram(['doctor'], visit.world.loaded, visit.request.signal)) as { checks: Finding[] };
  return {
    page: { title: visit.language.say('web.nav.system'), body: await facts(visit, answer.checks), section: '/system' },
  };
}

async function facts(visit: Visit, findings: Finding[] | null): Promise<Part> {
  const { ctx, language, cell } = visit;
  const { say } = language;
  return html`
    <h1>${say('web.nav.system')}</h1>
    ${cell('work', await work(visit), 'div')} ${cell('workers', await workers(visit), 'div')}
    ${visit.onlyCells ? null : await queues(visit)} ${findings !== null && found(findings, visit)}
    ${
      mayDo(MAY.operate, visit) &&
      html`<form class="act" method="post" action="/system/doctor">
        <p>${say('web.system.doctorSays')}</p>
        <p><button>${say('web.system.doctor')}</button></p>
      </form>`
    }
    <p><a href="/mails">${say('web.mails.title')}</a> · <a href="/system/service">${say('web.service.title')}</a></p>
    <h2>${say('web.system.sizes')}</h2>
    <dl class="facts">
      <dt>${say('web.system.home')}</dt>
      <dd><code>${ctx.home}</code></dd>
      <dt>${say('web.system.ledger')}</dt>
      <dd>${await ctx.ledger.version()}${ctx.ledger.engine === 'sqlite' && (await ledgerSize(visit))}</dd>
      <dt>${say('web.system.free')}</dt>
      <dd>${await freeSpace(visit)}</dd>
    </dl>
  `;
}

async function work({ ctx, language }: Visit): Promise<Part> {
  const { say, number } = language;
  const { db } = ctx.ledger;
  const [{ last, late, unattended }, open, prune, leases] = await Promise.all([
    attendance(ctx),
    openWork(db),
    readNote(db, 'last-prune'),
    heldLeases(ctx.ledger),
  ]);
  const tone = unattended !== null ? 'bad' : late ? 'waiting' : 'good';
  return html`<p class="verdict ${tone}">${say(`web.system.work.${tone}`)}</p>
    <dl class="facts">
      <dt>${say('web.system.sweep')}</dt>
      <dd>
        ${moment(last?.at ?? null, language)} ${last !== undefined && html`<span class="soft">${last.owner}</span>`}
      </dd>
      <dt>${say('web.system.open')}</dt>
      <dd>${say('web.system.openWork', { runs: number(open.runs), uploads: number(open.uploads) })}</dd>
      <dt>${say('web.system.prune')}</dt>
      <dd>${moment(prune?.at ?? null, language)}</dd>
    </dl>
    ${
      leases.length > 0 &&
      table(
        say('web.system.leases'),
        [{ title: say('web.system.lease') }, { title: say('web.system.owner') }, { title: say('web.system.until') }],
        leases.map(({ name, owner, until }) => [name, owner, moment(until, language)]),
      )
    }`;
}

async function workers({ ctx, language }: Visit): Promise<Part> {
  const { say } = language;
  const now = await workersNow(ctx);
  const title = say('web.system.workers');
  const { unserved } = now;
  const labels = [...new Set(unserved.flatMap(({ on }) => on))].join(', ');
  const feeds = unserved.map(({ feed }) => feed).join(', ');
  const missing = unserved.length > 0 && html`<p class="say waiting">${say('status.unserved', { feeds, labels })}</p>`;
  if (now.workers.length === 0)
    return html`<h2>${title}</h2>
      <p class="say">${say('web.system.noWorkers')}</p>
      ${missing}`;
  const columns = (['worker', 'version', 'since', 'seen', 'serves', 'doing'] as const).map((key) => {
    return { title: say(`web.system.${key}`) };
  });
  const rows = now.workers.map((worker): Part[] => {
    const { name, host, version, state, since, seen, serves, doing } = worker;
    const trouble = state === 'works' ? null : say(`web.system.${state}`);
    return [
      html`<bdi>${name}</bdi>${name !== host && html` <span class="soft">${host}</span>`}${
          trouble !== null &&
          html` <span class="tone ${isInTrouble(worker, now.workers) ? 'waiting' : 'quiet'}">${trouble}</span>`
        }`,
      version,
      moment(since, language),
      moment(seen, language),
      serves.join(', '),
      doing.join(', '),
    ];
  });
  return html`<h2>${title}</h2>
    ${table(title, columns, rows)} ${missing}`;
}

async function queues({ world, call, language: { say, number } }: Visit): Promise<Part> {
  const counts = await world.memo.get('queues', { until: 'time', age: 5000 }, () => call('queueCounts', {}));
  const title = say('web.system.queue');
  if (counts === null)
    return html`<h2>${title}</h2>
      <p class="say waiting">${say('web.system.queueAway')}</p>`;
  const columns = (['waiting', 'active', 'delayed', 'failed'] as const).map((state) => {
    return { title: say(`web.system.queue.${state}`), number: true as const };
  });
  const rows = counts.map(({ queue, waiting, active, delayed, failed }): Part[] => {
    return [queue, number(waiting), number(active), number(delayed), number(failed)];
  });
  return html`<h2>${title}</h2>
    ${table(title, [{ title }, ...columns], rows)}`;
}

function found(findings: Finding[], { language: { say } }: Visit): Part {
  const rows = findings.map(({ check, ok, detail }) => [
    html`<span class="tone ${ok ? 'good' : 'bad'}">${ok ? '✓' : '✗'}</span
      ><span class="unseen">${say(ok ? 'web.tone.good' : 'web.tone.bad')}</span> ${check}`,
    html`<bdi>${detail}</bdi>`,
  ]);
  const all = findings.every(({ ok }) => ok);
  return html`<p class="verdict ${all ? 'good' : 'bad'}" role="status">
      ${say(all ? 'web.system.well' : 'web.system.unwell')}
    </p>
    ${table(say('web.system.doctor'), [{ title: say('web.system.check') }, { title: say('web.system.found') }], rows)}`;
}

async function ledgerSize({ ctx, language }: Visit): Promise<string> {
  const { size } = await stat(join(ctx.home, 'ledger.sqlite'));
  return `, ${language.number(Math.round(size / 1e5) / 10)} MB`;
}

async function freeSpace({ ctx, language }: Visit): Promise<string> {
  const { bavail, bsize } = await statfs(ctx.home);
  return `${language.number(Math.round((bavail * bsize) / 1e9))} GB`;
}
