import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { triedYaml } from '../../../config/show/tried-yaml.ts';
import { OfferlineError } from '../../../errors.ts';
import type { TriedRules } from '../../../jobs/trial/try-rules.ts';
import { html, type Html, type Part } from '../../../wording/html.ts';
import { namedFeed } from '../../named.ts';
import { programsWords } from '../../parts/reasons/said.ts';
import { runProgram } from '../../program.ts';
import type { Answer } from '../../route.ts';
import type { Visit } from '../../visit.ts';
import { openRoom } from '../check/check-rooms.ts';
import { trialResult } from './trial-result.ts';

/** How far back deliveries are tried, in days; the second unless another is chosen. */
const PERIODS = ['7d', '30d', '90d'];
const PERIOD = '30d';

/** Milliseconds for which deliveries are tried. */
const TRIAL_TIME = 60_000;

/** What a form says: the settings to be tried, and how far back. */
type Asked = { yaml: string; since: string };

/** The rules of a feed, to be edited as a copy, tried on the past and taken away. */
export async function rulesPage(visit: Visit): Promise<Answer> {
  const feed = configuredFeed(visit);
  // What was learned is tried with whatever stands here: a copy of it would say it twice.
  const yaml = triedYaml(feed, visit.world.loaded.alone.written);
  return pageOf(feed, form(feed, { yaml, since: PERIOD }, visit), visit);
}

/** Tries the settings that were sent on archived deliveries, and shows what they would do; nothing is recorded. */
export async function tryRules(visit: Visit): Promise<Answer> {
  const feed = configuredFeed(visit);
  const asked = askedIn(visit);
  try {
    const effect = trialResult(await trial(feed, asked, visit), visit);
    return pageOf(feed, html`${effect} ${form(feed, asked, visit)}`, visit);
  } catch (error) {
    if (!(error instanceof OfferlineError) || error.code !== 'config') throw error;
    // What was typed is not lost over a mistake in it.
    return { ...pageOf(feed, html`${mistakes(error.message, visit)} ${form(feed, asked, visit)}`, visit), status: 400 };
  }
}

/** Gives the settings that were sent as a file: there is no other way from a page into a configuration. */
export async function takeRules(visit: Visit): Promise<Answer> {
  const feed = configuredFeed(visit);
  const name = `${feed.replaceAll(/[^\w.-]+/gu, '_')}-rules.yaml`;
  return {
    text: askedIn(visit).yaml,
    type: 'application/yaml; charset=utf-8',
    headers: { 'content-disposition': `attachment; filename="${name}"` },
  };
}

function configuredFeed(visit: Visit): string {
  const feed = namedFeed(visit);
  if (Object.hasOwn(visit.ctx.config.feeds, feed)) return feed;
  throw new OfferlineError('not-found', `There is no feed ${feed} in the configuration.`);
}

function askedIn({ form: fields }: Visit): Asked {
  const since = fields.get('since') ?? PERIOD;
  // Forms send lines as the Internet ends them.
  const yaml = (fields.get('yaml') ?? '').replaceAll('\r\n', '\n');
  return { yaml, since: PERIODS.includes(since) ? since : PERIOD };
}

/** In a room for files: whoever has one checked waits with this, and the other way round. */
async function trial(feed: string, { yaml, since }: Asked, visit: Visit): Promise<TriedRules> {
  const { request, world } = visit;
  await using room = await openRoom(visit);
  const path = join(room.folder, 'rules.yaml');
  await writeFile(path, yaml);
  const args = ['rules', feed, '--with', path, '--untrusted', '--since', since, '--within', `${TRIAL_TIME}ms`];
  try {
    return (await runProgram(args, world.loaded, request.signal, {
      queue: room.queue,
      time: TRIAL_TIME,
    })) as TriedRules;
  } catch (error) {
    if (!(error instanceof OfferlineError)) throw error;
    throw new OfferlineError(error.code, error.message.replaceAll(`${path}:`, 'line ').replaceAll(path, 'YAML'));
  }
}

function pageOf(feed: string, content: Part, { language }: Visit) {
  const title = language.say('web.trial.title', { feed });
  const body = html`<p><a href="/feeds/${encodeURIComponent(feed)}">${feed}</a></p>
    <h1>${title}</h1>
    ${content}`;
  return { page: { title, body, section: '/' } };
}

function form(feed: string, { yaml, since }: Asked, { language, ctx }: Visit): Html {
  const { say } = language;
  const action = `/feeds/${encodeURIComponent(feed)}/rules`;
  const { login } = ctx.config.feeds[feed]!;
  const common = (ctx.config.logins[login]?.rules ?? []).map(({ name }) => name);
  return html`<form class="act" method="post" action="${action}">
    <p>${say('web.trial.says')}</p>
    ${common.length > 0 && html`<p>${say('web.trial.login', { login, rules: language.list(common) })}</p>`}
    <p>
      <label for="yaml">${say('web.trial.yaml', { path: `feeds.${feed}` })}</label>
      <textarea id="yaml" name="yaml" class="code" rows="16" spellcheck="false" required>${`\n${yaml}`}</textarea>
    </p>
    <p class="note">
      ${say('web.trial.example')} <code>- { name: no stock, when: { stock: { below: 1 } }, leaveOut: true }</code>
    </p>
    <p>
      <label for="since">${say('web.trial.since')}</label>
      <select id="since" name="since">
        ${PERIODS.map((period) => html`<option value="${period}" ${period === since && html`selected`}>${say('web.trial.days', { count: Number.parseInt(period, 10) })}</option>`)}
      </select>
    </p>
    <p>
      <button class="first">${say('web.trial.button')}</button>
      <button formaction="${action}/yaml">${say('web.trial.take')}</button>
    </p>
    <p class="note"><a href="/docs/rules#rules-for-rows">${say('web.trial.help')}</a></p>
  </form>`;
}

/** Each mistake with its line in what was sent. */
function mistakes(message: string, { language }: Visit): Html {
  return html`<p class="verdict bad" role="alert">${language.say('web.trial.mistakes')}</p>
    <ul>
      ${message.split('\n').map((line) => html`<li>${programsWords(line, language)}</li>`)}
    </ul>`;
}
