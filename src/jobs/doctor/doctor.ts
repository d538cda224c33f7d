import type { LoadedConfig } from '../../config/load.ts';
import type { Context } from '../../context.ts';
import { messageOf } from '../../errors.ts';
import { examineHome } from '../../app/home.ts';
import { inParallel } from '../../io/in-parallel.ts';
import { denialOf, retryDenied } from '../../ledger/uploads/denials.ts';
import { openWork } from '../../ledger/maintenance/open-work.ts';
import type { Log } from '../../log.ts';
import { counted } from '../../wording/words.ts';
import { openContext } from '../../app/open-context.ts';
import { sampleArchive } from './sample.ts';
import { bindLedger } from '../queue/bind-ledger.ts';
import { credentialsTaken } from '../logins/denial.ts';
import { examineArchive } from './examine-archive.ts';
import { examineBackups } from './examine-backups.ts';
import { examineSeconds } from './examine-seconds.ts';
import { examineSource } from './examine-source.ts';
import { examineWorkers } from './examine-workers.ts';
import { examineWork, type Finding } from './doctor-ledger.ts';
import { openRedis } from '../redis/open.ts';
import { wakeLaneElsewhere } from '../queue/wake-elsewhere.ts';

/** Checks everything that offerline depends on; each failure is a finding, none stops the others. */
export async function examine(loaded: LoadedConfig, log: Log): Promise<Finding[]> {
  const findings: Finding[] = [
    { check: 'offerline', ok: true, detail: `Node ${process.versions.node}, configuration ${loaded.file}` },
    ...loaded.warnings.map((warning) => ({
      check: 'config',
      ok: true,
      detail: `warning at line ${warning.line}, ${warning.path}: ${warning.message}`,
    })),
  ];
  const opened = await openContext(loaded, log).catch((error: unknown) => {
    findings.push({ check: 'home', ok: false, detail: messageOf(error) });
  });
  if (opened === undefined) return findings;
  const { ctx } = opened;
  try {
    findings.push(await look('home', () => examineModes(ctx)));
    findings.push(await look('ledger', () => examineLedger(ctx)));
    findings.push(await look('archive', () => examineArchive(loaded, ctx)));
    findings.push(await look('files', () => sampleArchive(ctx)));
    const { backup } = ctx.config;
    if (backup !== undefined) findings.push(await look('backup', () => examineBackups(backup, loaded, ctx)));
    findings.push(await look('redis', () => examineRedis(loaded, ctx)));
    for (const login of Object.keys(ctx.config.logins)) {
      findings.push(await look(`login ${login}`, () => examineLogin(login, loaded, ctx)));
    }
    findings.push(...(await inParallel(Object.keys(ctx.config.feeds), SOURCES_AT_ONCE, examineFeed(ctx))));
    findings.push(await look('mail', async () => (await ctx.mail()).verify()));
    findings.push(
      ...mailWarnings(loaded),
      ...(await examineSeconds(ctx).catch((error: unknown) => [failed('decisions', error)])),
    );
    findings.push(...(await examineWorkers(ctx)), ...(await examineWork(ctx)));
  } finally {
    await opened.close();
  }
  return findings;
}

/** Suppliers' servers are slow, and asked at the same time. */
const SOURCES_AT_ONCE = 8;

function examineFeed(ctx: Context): (feed: string) => Promise<Finding> {
  return (feed) => look(`feed ${feed}`, () => examineSource(feed, ctx));
}

async function look(check: string, examineIt: () => Promise<string>): Promise<Finding> {
  try {
    return { check, ok: true, detail: await examineIt() };
  } catch (error) {
    return failed(check, error);
  }
}

function failed(check: string, error: unknown): Finding {
  return { check, ok: false, detail: messageOf(error) };
}

async function examineModes({ home }: Context): Promise<string> {
  const { open, detail } = await examineHome(home);
  return open ? `warning: ${detail}` : detail;
}

async function examineLedger(ctx: Context): Promise<string> {
  const work = await openWork(ctx.ledger.db);
  const open =
    work.runs === 0 && work.uploads === 0 ? 'no open work' : `${work.runs} open runs, ${work.uploads} open uploads`;
  return `${await ctx.ledger.version()}, ${open}`;
}

async function examineRedis(loaded: LoadedConfig, ctx: Context): Promise<string> {
  const redis = await openRedis({
    redisUrl: loaded.redisUrl,
    prefix: ctx.redisPrefix,
    home: loaded.home,
    log: ctx.log,
  });
  try {
    await bindLedger(redis, ctx.ledger);
    return redis.notice ?? `${redis.describe}; ${redis.keeps}; keys begin with {${redis.prefix}:`;
  } finally {
    await redis.close();
  }
}

async function examineLogin(login: string, loaded: LoadedConfig, ctx: Context): Promise<string> {
  const records = await ctx.offers(login).list(0, 1);
  const where = ctx.sandbox ? 'the built-in sandbox' : (ctx.config.service.baseUrl ?? '');
  const newest = records[0];
  const last = newest === undefined ? 'no uploads yet' : `newest upload ${newest.id}: ${newest.state}`;
  return `${where} answers, ${last}${await proveCredentials(login, loaded, ctx)}`;
}

/** Domains that only this machine knows. */
const LOCAL_DOMAIN = /(?:^|[@.])(?:localhost|localdomain)$/iu;

/** Mails that are written and reach nobody, or that mail servers take for spam. */
function mailWarnings({ config: { managers, mail }, smtpUrl }: LoadedConfig): Finding[] {
  if (managers.length === 0) return [];
  const warnings = [
    smtpUrl === undefined &&
      `${counted(managers.length, 'manager')} ${managers.length === 1 ? 'is' : 'are'} configured and SMTP_URL is not set: mails stay in the outbox folder and reach nobody; set SMTP_URL`,
    LOCAL_DOMAIN.test(mail.from) &&
      `mails come from ${mail.from}, which mail servers refuse or take for spam; set mail.from to an address of your own domain`,
  ];
  return warnings
    .filter((warning) => warning !== false)
    .map((warning) => ({ check: 'managers', ok: true, detail: `warning: ${warning}` }));
}

/** The service has just answered: a login that was paused because its credentials were refused goes on. */
async function proveCredentials(login: string, loaded: LoadedConfig, ctx: Context): Promise<string> {
  const denial = await denialOf(ctx.ledger.db, login);
  if (denial === undefined) return '';
  await credentialsTaken(login, 'offer/list', ctx);
  const lasts = await retryDenied(ctx.ledger.db, login);
  await wakeLaneElsewhere(login, { redisUrl: loaded.redisUrl }, ctx);
  return lasts
    ? '; uploading was refused before and is tried once more: whether the login may upload (MANAGE_OFFERS) shows then'
    : '; its credentials were refused before and are good now: what waits is sent';
}
