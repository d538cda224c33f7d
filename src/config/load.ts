import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { messageOf, systemCode } from '../errors.ts';
import type { Lists } from './brands/lists.ts';
import type { FoundSpellings } from './brands/spellings.ts';
import type { FoundHolidays } from './holiday-files.ts';
import type { FoundRules } from './row-rules/row-rules.ts';
import { readLearned, type ReadLearned } from './learned/read-learned.ts';
import { alsoLearned, locator } from './learned/places.ts';
import { takeIn } from './learned/take-in.ts';
import { resolveConfig } from './parse/credentials.ts';
import { type ConfigDocument, parseConfigText } from './read/document.ts';
import { guessableInEnvironment } from './rules/guessable-credentials.ts';
import { hideAddress, hideHookAddress } from './secrets/hide-address.ts';
import { interpolate } from './read/interpolate.ts';
import { misreadNumbers } from './read/misread-numbers.ts';
import { parseConfig } from './parse/parse.ts';
import { isWithin, showPath } from './read/path.ts';
import { configError, type Finding, inOrder, type Problem } from './read/problem.ts';
import { archiveSettings } from './parse/archive-address.ts';
import { inEnvironment, serverAddresses } from './read/server-addresses.ts';
import { checkRules } from './rules/rules.ts';
import { findWritten, type FindWritten } from './show/written.ts';
import { webAddresses } from './rules/web.ts';
import type { ArchiveSettings } from './schema/archive-schema.ts';
import type { FeedConfig, ResolvedConfig } from './schema/schema.ts';
import { secretPaths } from './schema/secret-paths.ts';
import { emptyVariable, showValue } from './parse/show-value.ts';
import { findWarnings } from './warnings.ts';
import type { RelativePath } from './parse/relative-paths.ts';
import { type NamedWorker, workerSettings } from './parse/worker-settings.ts';

/** Everything that a program needs to know before it starts. */
export type LoadedConfig = {
  config: ResolvedConfig;
  /** The configuration file, absolute. */
  file: string;
  /** The folder of the ledger, the archive and the rest of the state, absolute; it may not exist yet. */
  home: string;
  redisUrl: string | undefined;
  /** With what the keys of this installation begin in its Redis. */
  redisPrefix: string;
  databaseUrl: string | undefined;
  /** Where files are kept, as the configuration or ARCHIVE_URL says. */
  archive: ArchiveSettings;
  smtpUrl: string | undefined;
  logLevel: string;
  /** The environment, for programs that are started; never logged. */
  env: NodeJS.ProcessEnv;
  /** True when the built-in sandbox stands in for the service. */
  sandbox: boolean;
  warnings: Problem[];
  /** Paths that are written relative to the file. */
  relative: RelativePath[];
  /** With `credentials: 'unused'`: variables that are not set and credentials that are not there, which stand for something that is no value. */
  missing: Finding[];
  /** What is written at a path of the file, and of the file of learned settings, without secrets. */
  written: FindWritten;
  /** The feeds as the file alone has them, and what is written in it; what was learned is taken in beside that. */
  alone: { feeds: ResolvedConfig['feeds']; written: FindWritten };
  learned: ReadLearned;
};

/** What REDIS_PREFIX may be: it stands within braces, which decide where a cluster keeps a key, and colons part keys. */
const REDIS_PREFIX = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/u;

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/**
 * Reads the configuration file and the environment. `file` and `home` come from the command line and are relative to the
 * working folder; `worker` is what it says of this process's worker. With `credentials: 'unused'` nothing is said of variables that are not set and credentials that are not there.
 * `lists` is asked for where brands have other spellings and files name values or dates; without it these are neither judged nor known.
 * `restores`: the installation is being made of a backup. `learned`: a text in place of what the file of learned settings says.
 * Throws one `config` error that lists every problem (`details.problems`), or only the syntax errors when the file is not YAML.
 */
export async function loadConfig(options: {
  file?: string | undefined;
  home?: string | undefined;
  worker?: NamedWorker | undefined;
  env: NodeJS.ProcessEnv;
  credentials?: 'used' | 'unused';
  lists?: () => Promise<Lists>;
  restores?: boolean;
  learned?: string | undefined;
}): Promise<LoadedConfig> {
  const { env } = options;
  const file = resolve(options.file ?? (env['OFFERLINE_CONFIG'] || 'config/offerline.yaml'));
  if (options.restores !== true) await assertNoRestore(file);
  const document = parseConfigText(await readText(file));
  if (document.syntax.length > 0) {
    throw configError(
      file,
      document.syntax.map((mistake) => ({ file, ...mistake, path: showPath(mistake.path) })),
    );
  }
  const { config, written, alone, relative, learned, ...found } = await evaluate(document, file, options);
  const locate = locator(document, file, learned);
  const addresses = [
    config.service.baseUrl,
    config.service.catalogUrl,
    ...Object.values(config.feeds).flatMap(addressesOf),
  ];
  const servers = await serverAddresses(env);
  for (const address of [...addresses, ...Object.values(servers.addresses)]) hideAddress(address);
  for (const { url } of Object.values(config.hooks)) hideHookAddress(url.reveal());
  const said = found.findings.filter(({ missing }) => missing !== true || options.credentials !== 'unused');
  const { archive, problems: ofArchive } = archiveSettings(config.archive, servers.addresses.ARCHIVE_URL);
  const problems = [
    ...said.map(locate),
    ...learned.problems,
    ...found.inLists,
    ...servers.problems,
    ...ofArchive,
    ...found.ofWorker,
    ...environmentProblems(env),
  ];
  const warnings = [
    ...inOrder([...guessableInEnvironment(servers.addresses), ...found.warnings.map(locate)]),
    ...learned.warnings,
  ];
  if (problems.length > 0) throw configError(file, problems, { warnings });
  return {
    config,
    file,
    home: homeOf(file, options.home, env),
    redisUrl: servers.addresses.REDIS_URL,
    redisPrefix: env['REDIS_PREFIX'] || 'offerline',
    databaseUrl: servers.addresses.DATABASE_URL,
    archive,
    smtpUrl: servers.addresses.SMTP_URL,
    logLevel: env['LOG_LEVEL'] || 'info',
    env,
    sandbox: (config.service.baseUrl ?? 'sandbox') === 'sandbox',
    warnings,
    relative,
    missing: found.findings.filter(({ missing }) => missing === true),
    written,
    alone,
    learned,
  };
}

/** The home of an installation: the one that was named, or beside its configuration. */
export function homeOf(file: string, named: string | undefined, env: NodeJS.ProcessEnv): string {
  return resolve(named ?? (env['OFFERLINE_HOME'] || resolve(dirname(file), '.offerline')));
}

function addressesOf({ source }: FeedConfig): string[] {
  if (source.type !== 'http' && source.type !== 'webdav') return [];
  return webAddresses(source).map(({ address }) => address);
}

async function readText(file: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
  } catch (error) {
    const message =
      systemCode(error) === 'ENOENT'
        ? 'there is no configuration file here; write one, or name it with --config or OFFERLINE_CONFIG; `offerline init` proposes one, and `offerline restore PLACE` brings that of a backup'
        : systemCode(error) === 'ERR_ENCODING_INVALID_ENCODED_DATA'
          ? 'the configuration file is not UTF-8 text; save it as UTF-8'
          : `the configuration file cannot be read: ${messageOf(error)}`;
    throw configError(file, [{ file, line: 0, column: 0, path: '', message }], { cause: error });
  }
}

/** Lies beside a configuration while its installation is being made of a backup, which may have been cut. */
export function restoreMark(file: string): string {
  return `${file}.restoring`;
}

/** Whatever works with a configuration that a restore has brought, and without the ledger that it was to bring, would begin anew and send what it finds. */
async function assertNoRestore(file: string): Promise<void> {
  const mark = restoreMark(file);
  const place = await readFile(mark, 'utf8').catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  });
  if (place === null) return;
  const message = `a restore of this installation has not ended: run \`offerline restore ${place.trim()}\` again; to go on without it, remove ${mark}`;
  throw configError(file, [{ file, line: 0, column: 0, path: '', message }]);
}

/** What is known beside the document. */
type Evaluated = {
  env: NodeJS.ProcessEnv;
  worker?: NamedWorker | undefined;
  lists?: () => Promise<Lists>;
  learned?: string | undefined;
};

/** Runs every check; a finding at or under the place of an earlier one is only its consequence and does not count. */
async function evaluate(document: ConfigDocument, file: string, known: Evaluated) {
  const { env, worker: named = {}, lists } = known;
  const folder = dirname(file);
  const interpolation = interpolate(document, env);
  const written: unknown = document.tree.toJS() ?? {};
  const findings: Finding[] = [...interpolation.findings, ...misreadNumbers(document)];
  const add = (more: Finding[]) => {
    const before = [...findings];
    findings.push(...more.filter(({ path }) => !before.some((earlier) => isWithin(path, earlier.path))));
  };
  const isSecret = secretPaths(written);
  const parsed = parseConfig(written, showValue(document, interpolation, isSecret));
  add(
    parsed.findings.map((finding) => {
      const name = emptyVariable(document, interpolation, finding.path);
      return name === undefined
        ? finding
        : { ...finding, message: `${name} is empty; set it, or write \${${name}:-default}`, missing: true as const };
    }),
  );
  const resolved = await resolveConfig(parsed.config, folder, env);
  add(resolved.findings);
  const learned = await readLearned(file, Object.keys(resolved.config.feeds), known.learned);
  const whole = takeIn(resolved.config, learned.learned);
  add(checkRules(whole, written));
  const { spellings, ...spelled } = await spellingsIn(whole, lists);
  add(spelled.findings);
  const ruled = await rulesIn(whole, folder, lists);
  add(ruled.findings);
  const holidays = await holidaysIn(whole, lists);
  add(holidays.findings);
  const find = findWritten(document, interpolation, isSecret);
  const alone = { feeds: resolved.config.feeds, written: find };
  const lookUp = alsoLearned(find, document, learned);
  const worker = workerSettings(whole.worker, named, env);
  const config = {
    ...whole,
    worker: worker.settings,
    ...(spellings === undefined ? {} : { spellings }),
    rowRules: ruled.rules,
    fileHolidays: holidays.days,
  };
  const warnings = (await findWarnings(config, written)).concat(spelled.warnings, ruled.warnings);
  const inLists = spelled.problems.concat(ruled.problems, holidays.problems);
  const { relative } = resolved;
  return { config, written: lookUp, alone, relative, learned, findings, warnings, ofWorker: worker.problems, inLists };
}

/** The rules of feeds, where there are some and somebody wants them. */
async function rulesIn(config: ResolvedConfig, folder: string, lists: Evaluated['lists']): Promise<FoundRules> {
  const isSet = [config.logins, config.feeds].some((all) =>
    Object.values(all).some(({ rules }) => rules !== undefined),
  );
  if (lists === undefined || !isSet) return { rules: {}, findings: [], problems: [], warnings: [] };
  const { findRules } = await import('./row-rules/row-rules.ts');
  return findRules(config, folder, await lists());
}

/** The tables of spellings, where there are some and somebody wants them. */
async function spellingsIn(config: ResolvedConfig, lists: Evaluated['lists']): Promise<FoundSpellings> {
  const isSet = config.brands !== undefined || Object.values(config.feeds).some(({ brands }) => brands !== undefined);
  if (lists === undefined || !isSet) return { spellings: undefined, findings: [], problems: [], warnings: [] };
  const { findSpellings } = await import('./brands/spellings.ts');
  return findSpellings(config, await lists());
}

/** The days of files of holidays, where there are some and somebody wants them. */
async function holidaysIn(config: ResolvedConfig, lists: Evaluated['lists']): Promise<FoundHolidays> {
  const isSet = Object.values(config.feeds).some(
    ({ expect }) => expect?.holidays !== undefined && 'file' in expect.holidays,
  );
  if (lists === undefined || !isSet) return { days: {}, findings: [], problems: [] };
  const { findHolidays } = await import('./holiday-files.ts');
  return findHolidays(config, await lists());
}

function environmentProblems(env: NodeJS.ProcessEnv): Problem[] {
  const level = env['LOG_LEVEL'] || 'info';
  const prefix = env['REDIS_PREFIX'] || 'offerline';
  return [
    ...(LOG_LEVELS.includes(level)
      ? []
      : [inEnvironment('LOG_LEVEL', `expected one of ${LOG_LEVELS.join(', ')}, found "${level}"`)]),
    ...(REDIS_PREFIX.test(prefix)
      ? []
      : [
          inEnvironment(
            'REDIS_PREFIX',
            `expected at most 64 letters, digits, dots, hyphens and underscores, such as shop-north, found "${prefix}"`,
          ),
        ]),
  ];
}
