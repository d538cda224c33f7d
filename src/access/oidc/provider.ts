import * as client from 'openid-client';
import { Agent, request } from 'undici';
import { systemClock } from '../../clock.ts';
import { isLoopback } from '../../config/loopback.ts';
import type { Config } from '../../config/schema/schema.ts';
import { messageOf, OfferlineError, systemCode } from '../../errors.ts';
import { ReplyMeter, wholeReply } from '../../io/peers/read-reply.ts';
import { foreignText } from '../../wording/foreign-text.ts';

/** The settings of the provider that signs users in. */
export type Oidc = NonNullable<Config['web']['oidc']>;

/**
 * Why a provider did not sign somebody in: it is away, it refused them, what it says cannot be believed, or it refuses this console
 * as its client.
 */
export type Failure = { kind: 'away' | 'denied' | 'untrusted' | 'setup'; reason: string };

/** Seconds that one question may take. */
const TIMEOUT = 10;
/** Bytes of an answer: keys and claims are a few thousand. */
const LARGEST = 1024 * 1024;
/** Seconds by which the clock of a provider may differ. */
const TOLERANCE = 60;
/** What was discovered is asked again after so long, in milliseconds. */
const DISCOVERED_FOR = 3_600_000;

const discovered = new WeakMap<Oidc, { metadata: client.ServerMetadata; until: number }>();

/** Refusals of somebody who wants to be signed in; others of a provider are about this console. */
const OF_USERS = ['access_denied', 'login_required', 'interaction_required', 'consent_required', 'invalid_grant'];
const OF_NOW = ['temporarily_unavailable', 'server_error'];
/** What the library says of answers that are none of a provider: of a proxy before it, or while it starts. */
const NO_ANSWERS = [
  'OAUTH_TIMEOUT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
];

/**
 * What the provider is spoken with. Its description is asked for when it is first needed, and the keys of each answer anew, so that
 * one that changes its keys is believed at once.
 */
export async function openProvider(oidc: Oidc): Promise<client.Configuration> {
  const metadata = await describe(oidc);
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const prove = methods.includes('client_secret_basic') ? client.ClientSecretBasic : client.ClientSecretPost;
  const configuration = new client.Configuration(
    metadata,
    oidc.clientId,
    { [client.clockTolerance]: TOLERANCE },
    prove(oidc.clientSecret.reveal()),
  );
  configuration[client.customFetch] = ask;
  configuration.timeout = TIMEOUT;
  for (const change of changesOf(oidc)) change(configuration);
  return configuration;
}

/** The host of the provider, as people know it. */
export function providerHost({ issuer }: Pick<Oidc, 'issuer'>): string {
  return URL.parse(issuer)?.host ?? issuer;
}

/** Why something that was asked of a provider failed. */
export function failureOf(error: unknown): Failure {
  const reason = reasonOf(error);
  if (causes(error).some((one) => one instanceof OfferlineError)) return { kind: 'away', reason };
  if (error instanceof client.AuthorizationResponseError || error instanceof client.ResponseBodyError) {
    const said = `${foreignText(error.error, 60)}: ${foreignText(error.error_description ?? '', 200)}`;
    if (OF_NOW.includes(error.error)) return { kind: 'away', reason: said };
    return { kind: OF_USERS.includes(error.error) ? 'denied' : 'setup', reason: said };
  }
  if (error instanceof client.WWWAuthenticateChallengeError)
    return { kind: error.response.status === 401 ? 'denied' : 'setup', reason: `answered ${error.response.status}` };
  const isNoAnswer = error instanceof client.ClientError && NO_ANSWERS.includes(error.code ?? '');
  return { kind: isNoAnswer ? 'away' : 'untrusted', reason };
}

async function describe(oidc: Oidc): Promise<client.ServerMetadata> {
  const known = discovered.get(oidc);
  if (known !== undefined && systemClock.monotonic() < known.until) return known.metadata;
  const found = await client.discovery(new URL(oidc.issuer), oidc.clientId, {}, undefined, {
    [client.customFetch]: ask,
    timeout: TIMEOUT,
    execute: changesOf(oidc),
  });
  const metadata = { ...found.serverMetadata() };
  // The library lets some hosts name another issuer.
  if (URL.parse(metadata.issuer)?.href !== URL.parse(oidc.issuer)?.href)
    throw new Error(`its description is that of another issuer, ${foreignText(metadata.issuer, 200)}`);
  discovered.set(oidc, { metadata, until: systemClock.monotonic() + DISCOVERED_FOR });
  return metadata;
}

/** Signatures are checked also where TLS says whose an answer is; without TLS only on this machine. */
function changesOf({ issuer }: Oidc): ((configuration: client.Configuration) => void)[] {
  const url = URL.parse(issuer);
  const isHere = url?.protocol === 'http:' && isLoopback(url.hostname);
  return [client.enableNonRepudiationChecks, ...(isHere ? [client.allowInsecureRequests] : [])];
}

/** Asks a provider; its answer is read within limits. */
async function ask(address: string, { method, headers, body, signal }: client.CustomFetchOptions): Promise<Response> {
  const agent = new Agent({ connect: { timeout: TIMEOUT * 1000 } });
  try {
    const reply = await request(address, {
      dispatcher: agent,
      method,
      headers: { ...headers, 'user-agent': 'offerline' },
      body: body instanceof URLSearchParams ? body.toString() : null,
      signal: signal ?? null,
    });
    const meter = new ReplyMeter(
      { bytes: LARGEST, time: TIMEOUT * 1000 },
      { stop: () => void reply.body.destroy(), refuse: (measure) => away(`its answer has too many ${measure}`) },
    );
    const bytes = await wholeReply(reply.body, meter);
    if (reply.statusCode >= 500 || reply.statusCode === 429) throw away(`it answered ${reply.statusCode}`);
    return new Response(bytes.length === 0 ? null : new Uint8Array(bytes), {
      status: reply.statusCode,
      headers: ['content-type', 'www-authenticate'].flatMap((name): [string, string][] => {
        const [value] = [reply.headers[name] ?? []].flat();
        return value === undefined ? [] : [[name, value]];
      }),
    });
  } catch (error) {
    throw error instanceof OfferlineError ? error : away(systemCode(error) ?? messageOf(error));
  } finally {
    await agent.destroy();
  }
}

function away(why: string): OfferlineError {
  return new OfferlineError('service-unreachable', `The provider of web.oidc does not answer: ${why}.`);
}

/** The words of an error and of those that it comes from. */
function reasonOf(error: unknown): string {
  const words = causes(error).map((one) => messageOf(one).replace(/\.$/u, ''));
  return foreignText([...new Set(words)].join(': '), 400);
}

/** An error and those that it comes from. What a library names as a cause may be no error, and hold claims. */
function causes(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causes(error.cause)] : [];
}
