import { randomUUID } from 'node:crypto';
import { ROLES, type TokenRole } from '../../../access/visitor.ts';
import { listTokens, type ShownToken } from '../../../access/tokens.ts';
import { listUsers } from '../../../access/users.ts';
import { OfferlineError } from '../../../errors.ts';
import { html, type Html, type Part } from '../../../wording/html.ts';
import type { Language } from '../../../wording/language/language.ts';
import { doneAt, doneNotice } from '../../parts/done.ts';
import { moment } from '../../parts/moment.ts';
import { table } from '../../parts/table.ts';
import type { Answer } from '../../route.ts';
import type { Visit } from '../../visit.ts';
import { signsInText } from './signs-in.ts';

const DAY = 86_400_000;
/** The secret that another one replaces stays valid for so long. */
const OVERLAP = 7 * DAY;
/** A token that was made here ends after so many days, or never. */
const MOST_DAYS = 3650;

/** Users and tokens: who may do what, and since when. */
export async function usersPage(visit: Visit): Promise<Answer> {
  return { page: { title: visit.language.say('web.nav.users'), body: await body(visit, null), section: '/users' } };
}

async function body(visit: Visit, secret: string | null): Promise<Part> {
  const { language, ctx, url } = visit;
  const { say } = language;
  return html`
    <h1>${say('web.nav.users')}</h1>
    ${doneNotice(url, language)}
    ${
      secret !== null &&
      html`<div class="notice" role="status">
        <p>${say('web.tokens.once')}</p>
        <p><code>${secret}</code></p>
      </div>`
    }
    ${await users(visit)} ${addForm(visit)}
    <h2>${say('web.tokens.title')}</h2>
    ${tokensTable(await listTokens(ctx), await ctx.ledger.now(), visit)} ${tokenForm(visit)}
  `;
}

async function users({ ctx, language }: Visit): Promise<Html> {
  const { say } = language;
  const columns = [
    'web.signIn.name',
    'web.users.role',
    'web.users.email',
    'web.users.since',
    'web.users.state',
  ] as const;
  const rows = (await listUsers(ctx)).map(({ name, role, email, created_at, disabled_at, subject, factor }): Part[] => [
    subject === null ? name : html`${name} <span class="soft">${signsInText(subject, language)}</span>`,
    role,
    email,
    moment(created_at, language),
    html`<form method="post" action="/users/${encodeURIComponent(name)}/${disabled_at === null ? 'disable' : 'enable'}">
        ${disabled_at !== null && html`${say('web.users.disabled')} ${moment(disabled_at, language)}`}
        <button class="plain">${say(disabled_at === null ? 'web.users.disable' : 'web.users.enable')}</button>
      </form>
      ${
        factor &&
        html`<form method="post" action="/users/${encodeURIComponent(name)}/reset-factor">
          <button class="plain">${say('web.factor.reset')}</button>
        </form>`
      }`,
  ]);
  return table(
    say('web.nav.users'),
    columns.map((key) => ({ title: say(key) })),
    rows,
  );
}

/** What tokens may be made for. */
const TOKEN_ROLES: readonly TokenRole[] = [...ROLES, 'push'];

function roleSelect(id: string, roles: readonly TokenRole[]): Html {
  return html`<select id="${id}" name="role">
    ${roles.map((role) => html`<option>${role}</option>`)}
  </select>`;
}

function addForm({ language: { say } }: Visit): Html {
  return html`<form class="act" method="post" action="/users">
    <h2>${say('web.users.add')}</h2>
    <p>${say('web.users.addSays')}</p>
    <div class="fields">
      <p>
        <label for="user-name">${say('web.signIn.name')}</label
        ><input id="user-name" name="name" required maxlength="64" autocomplete="off" />
      </p>
      <p><label for="user-role">${say('web.users.role')}</label>${roleSelect('user-role', ROLES)}</p>
      <p>
        <label for="user-email">${say('web.users.email')}</label
        ><input id="user-email" name="email" type="email" autocomplete="off" />
      </p>
      <p>
        <label for="user-password">${say('web.signIn.password')}</label
        ><input
          id="user-password"
          name="password"
          type="password"
          minlength="12"
          required
          autocomplete="new-password"
        />
      </p>
    </div>
    <p><button class="first">${say('web.users.add')}</button></p>
  </form>`;
}

function tokensTable(tokens: readonly ShownToken[], now: number, { language }: Visit): Html {
  const { say } = language;
  const columns = [
    'web.tokens.name',
    'web.users.role',
    'web.users.feeds',
    'web.users.since',
    'web.tokens.used',
    'web.users.state',
  ] as const;
  const rows = tokens.map((token): Part[] => [
    token.name,
    token.role,
    token.feeds === null ? say('web.users.allFeeds') : token.feeds.join(', '),
    moment(token.created_at, language),
    moment(token.used_at, language),
    token.revoked_at === null
      ? validToken(token, now, language)
      : html`${say('web.tokens.revoked')} ${moment(token.revoked_at, language)}`,
  ]);
  return table(
    say('web.tokens.title'),
    columns.map((key) => ({ title: say(key) })),
    rows,
  );
}

/** Until when a token and its former secret are valid, and what can be done about it. */
function validToken(
  { id, expires_at, former_ends_at, former_used_at }: ShownToken,
  now: number,
  language: Language,
): Html {
  const { say } = language;
  const hasFormer = former_ends_at !== null && former_ends_at > now;
  return html`${expires_at !== null && html`${say('web.tokens.until')} ${moment(expires_at, language)} `}
    ${
      hasFormer &&
      html`<p>
        ${say('web.tokens.former')} ${moment(former_ends_at, language)}. ${say('web.tokens.used')}:
        ${moment(former_used_at, language)}
      </p>`
    }
    <form method="post" action="/tokens/${id}/rotate">
      <input type="hidden" name="once" value="${randomUUID()}" />
      <button class="plain">${say('web.tokens.rotate')}</button>
    </form>
    <form method="post" action="/tokens/${id}/revoke">
      <button class="plain">${say('web.tokens.revoke')}</button>
    </form>`;
}

function tokenForm({ language: { say } }: Visit): Html {
  return html`<form class="act" method="post" action="/tokens">
    <h3>${say('web.tokens.add')}</h3>
    <div class="fields">
      <p>
        <label for="token-name">${say('web.tokens.name')}</label
        ><input id="token-name" name="name" required maxlength="64" />
      </p>
      <p><label for="token-role">${say('web.users.role')}</label>${roleSelect('token-role', TOKEN_ROLES)}</p>
      <p><label for="token-feeds">${say('web.tokens.feeds')}</label><input id="token-feeds" name="feeds" /></p>
      <p>
        <label for="token-days">${say('web.tokens.days')}</label
        ><input id="token-days" name="days" type="number" min="1" max="${MOST_DAYS}" />
      </p>
    </div>
    <p><button class="first">${say('web.tokens.add')}</button></p>
  </form>`;
}

function roleOf<Known extends TokenRole>(text: string | null, roles: readonly Known[]): Known {
  const role = roles.find((one) => one === text);
  if (role === undefined) throw new OfferlineError('usage', `Choose a role: ${roles.join(', ')}.`);
  return role;
}

/** Adds a user. */
export async function addUser({ form, call }: Visit): Promise<Answer> {
  const email = form.get('email')?.trim() ?? '';
  await call('addUser', {
    name: form.get('name')?.trim() ?? '',
    role: roleOf(form.get('role'), ROLES),
    email: email === '' ? null : email,
    language: null,
    password: form.get('password') ?? '',
  });
  return doneAt('/users', 'add');
}

/** Disables a user. */
export async function disableUser({ params, call }: Visit): Promise<Answer> {
  await call('setEnabled', { name: params['user'] ?? '', enabled: false });
  return doneAt('/users', 'disable');
}

/** Lets a user sign in again. */
export async function enableUser({ params, call }: Visit): Promise<Answer> {
  await call('setEnabled', { name: params['user'] ?? '', enabled: true });
  return doneAt('/users', 'enable');
}

/** Takes a user's second factor away. */
export async function resetFactor({ params, call }: Visit): Promise<Answer> {
  await call('resetFactor', { name: params['user'] ?? '' });
  return doneAt('/users', 'factor');
}

/** The days after which a token ends; null where none are said. What is no number must not become a token without an end. */
function daysOf(text: string): number | null {
  if (text.trim() === '') return null;
  if (/^[1-9]\d{0,3}$/u.test(text.trim()) && Number(text) <= MOST_DAYS) return Number(text);
  throw new OfferlineError(
    'usage',
    `A token ends after 1 to ${MOST_DAYS} days; leave it empty for one without an end.`,
  );
}

/** Makes a token and shows its secret, this once. */
export async function addToken(visit: Visit): Promise<Answer> {
  const { form, call, ctx, language } = visit;
  const named = (form.get('feeds') ?? '').trim();
  const feeds = named.split(/[\s,]+/u).filter((feed) => feed !== '');
  if (named !== '' && feeds.length === 0)
    throw new OfferlineError('usage', `"${named}" names no feed. Leave the field empty for all feeds.`);
  const unknown = feeds.filter((feed) => !Object.hasOwn(ctx.config.feeds, feed));
  if (unknown.length > 0)
    throw new OfferlineError('usage', `There is no feed ${unknown.join(', ')} in the configuration.`);
  const days = daysOf(form.get('days') ?? '');
  const { secret } = await call('addToken', {
    name: form.get('name') ?? '',
    role: roleOf(form.get('role'), TOKEN_ROLES),
    feeds: feeds.length === 0 ? null : feeds,
    ends: days === null ? null : (await ctx.ledger.now()) + days * DAY,
  });
  return { page: { title: language.say('web.nav.users'), body: await body(visit, secret), section: '/users' } };
}

/** Gives a token another secret and shows it, this once; the one before stays valid for a week. */
export async function rotateToken(visit: Visit): Promise<Answer> {
  const { params, call, language } = visit;
  const { secret } = await call('rotateToken', { id: params['token'] ?? '', overlap: OVERLAP, ends: null });
  return { page: { title: language.say('web.nav.users'), body: await body(visit, secret), section: '/users' } };
}

/** Revokes a token. */
export async function revokeToken({ params, call }: Visit): Promise<Answer> {
  await call('revokeToken', { id: params['token'] ?? '' });
  return doneAt('/users', 'revoke');
}
