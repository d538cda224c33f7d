import { CookieJar } from 'tough-cookie';
import { systemClock } from '../../../clock.ts';
import type { Login } from '../../../config/schema/sources/web.ts';
import { showUrl } from '../../../wording/show-url.ts';
import { textOf } from '../body.ts';
import { hostOf } from '../../../io/peers/public-connector.ts';
import { trustedHosts } from '../connect.ts';
import { pullError, statusError } from '../errors.ts';
import { SIGN_IN } from '../../limits.ts';
import { signInError } from '../page.ts';
import { ask, headerOf, type Reply, type Web } from '../request.ts';
import { type Form, formWith } from './form.ts';

/** What servers answer to credentials that they refuse; 422 is that of Rails and Laravel. */
const REFUSED = [400, 401, 403, 422];

/**
 * Signs in as people do: opens the page, fills in its form, sends it, and keeps the cookies for what `web` asks from then on. A
 * form that comes back is a refusal of the credentials. Throws `pull-failed`.
 */
export async function signIn(web: Web, { url, fields }: Login, signal: AbortSignal | undefined): Promise<void> {
  const names = Object.keys(fields);
  web.cookies = new CookieJar();
  web.isSignIn = (page) => formWith(page, names) !== undefined;
  const opened = await ask(web, { url: new URL(url), signal });
  // Some servers show the form with the status of what it is in place of.
  if (opened.statusCode !== 200 && ![401, 403].includes(opened.statusCode)) throw failed(opened);
  const found = formWith(await textOf(opened, SIGN_IN), names);
  const action = actionOf(web, opened, found);
  const written = Object.entries(fields).map(([name, value]): [string, string] => [name, value.reveal()]);
  const given = (found?.form.given ?? []).filter(([name]) => !Object.hasOwn(fields, name));
  const answer = await ask(web, {
    method: 'POST',
    url: action,
    headers: action.origin === opened.url.origin ? { origin: action.origin, referer: addressOf(opened.url) } : {},
    body: { text: new URLSearchParams([...given, ...written]).toString(), type: 'application/x-www-form-urlencoded' },
    signal,
  });
  if (REFUSED.includes(answer.statusCode)) throw signInError(answer.place);
  if (answer.statusCode >= 300) throw failed(answer);
  // Another page may have the form in its head, also for those who signed in: there the file decides.
  const isBack = [opened.url, action].some((page) => addressOf(page) === addressOf(answer.url));
  if (web.isSignIn(await textOf(answer, SIGN_IN)) && isBack) throw signInError(answer.place);
}

/** Where the form goes: credentials are sent to no host that the source does not name. */
function actionOf(
  { source }: Web,
  { url, place }: Reply,
  found: { form: Form; base: string | undefined } | undefined,
): URL {
  const base = URL.parse(found?.base ?? '', url.href) ?? url;
  const written = found?.form.action ?? '';
  const action = written === '' ? url : URL.parse(written, base.href);
  if (action === null || !/^https?:$/u.test(action.protocol)) {
    throw pullError(place, 'has a form that leads nowhere; correct source.login.url, or ask the supplier.');
  }
  if (url.protocol === 'https:' && action.protocol === 'http:') {
    throw pullError(place, `would send the credentials to ${showUrl(action.href)} without TLS; ask the supplier.`);
  }
  const host = hostOf(action.href);
  if (trustedHosts(source).has(host)) return action;
  throw pullError(place, `would send the credentials to ${host}; if that is correct, list it in source.allowHosts.`);
}

function addressOf({ origin, pathname }: URL): string {
  return origin + pathname;
}

function failed(reply: Reply) {
  const { place, statusCode } = reply;
  if (statusCode === 404) {
    return pullError(place, 'answered 404: there is no form at this address; correct source.login.url.', {
      status: 404,
    });
  }
  return statusError(statusCode, place, headerOf(reply, 'retry-after'), systemClock.now());
}
