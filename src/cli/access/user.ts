import { Option, type Command } from 'commander';
import { feedsOfManager, ROLES, type Role } from '../../access/visitor.ts';
import { OfferlineError } from '../../errors.ts';
import { byThisUser } from '../decisions/decision.ts';
import type { Io } from '../io.ts';
import { assertLanguage } from '../known-language.ts';
import { withReader, withSession } from '../session.ts';

const HELP = `
  viewer   sees everything and changes nothing
  manager  sees the feeds of the managers entries with their address (--email), and decides about their runs
  ops      does everything but manage users
  admin    manages users and tokens, too

The password is asked for at the terminal, or is the first line of standard input or of --password-file.

Examples:
  offerline user add anna --role ops
  offerline user add bernd --role manager --email brakes@example.com
  offerline user disable bernd
`;

const PASSWORD_FILE = ['--password-file <file>', 'read the password from the first line of this file'] as const;

/** Adds `user`: who may use the console. */
export function define(program: Command, io: Io): void {
  const user = program.command('user').description('Manage who may use the console.').addHelpText('after', HELP);
  defineAdd(user, io);
  user
    .command('passwd')
    .description('Give a user another password; their sessions end.')
    .argument('<name>', 'a user; `offerline user list` shows them')
    .option(...PASSWORD_FILE)
    .allowUnknownOption()
    .allowExcessArguments()
    .addHelpText('after', '\nExample:\n  offerline user passwd anna\n')
    .action((name: string, options: { passwordFile?: string }, command: Command) => {
      assertNameOnly(command);
      return withSession(command, io, async ({ ctx }) => {
        const [{ readPassword }, { assertUser, setPassword }] = await Promise.all([
          import('./read-password.ts'),
          import('../../access/users.ts'),
        ]);
        await assertUser(name, ctx);
        await setPassword({ name, password: await readPassword(options) }, byThisUser(), ctx);
        io.out(`${name} has another password; their sessions have ended.`);
      });
    });
  user
    .command('reset-factor')
    .description("Take a user's second factor away; their sessions end.")
    .argument('<name>', 'a user; `offerline user list` shows them')
    .addHelpText('after', '\nExample:\n  offerline user reset-factor anna\n')
    .action((name: string, _options: object, command: Command) =>
      withSession(command, io, async ({ ctx }) => {
        const { resetFactor } = await import('../../access/second-factor.ts');
        await resetFactor(name, byThisUser(), ctx);
        io.out(`${name} has no second factor; their sessions have ended.`);
      }),
    );
  defineSwitch(user, io, 'disable');
  defineSwitch(user, io, 'enable');
  defineList(user, io);
}

type Add = { role: Role; email?: string; language?: string; passwordFile?: string };

function defineAdd(user: Command, io: Io): void {
  user
    .command('add')
    .description('Add a user of the console.')
    .argument('<name>', 'letters, digits, "-", "_", "." and "@", at most 64')
    .addOption(new Option('--role <role>', 'what they may do').choices(ROLES).makeOptionMandatory())
    .option('--email <address>', 'their address; of a manager it names the feeds')
    .option('--language <language>', 'the language that they read: en, de or ru')
    .option(...PASSWORD_FILE)
    .allowUnknownOption()
    .allowExcessArguments()
    .addHelpText('after', HELP)
    .action((name: string, options: Add, command: Command) => {
      assertNameOnly(command);
      return withSession(command, io, async ({ ctx }) => {
        const { role, email = null, language = null } = options;
        if (language !== null) await assertLanguage(language);
        const [{ readPassword }, { addUser, assertAddable }] = await Promise.all([
          import('./read-password.ts'),
          import('../../access/users.ts'),
        ]);
        const user = { name, role, email, language };
        await assertAddable(user, ctx);
        await addUser({ ...user, password: await readPassword(options) }, byThisUser(), ctx);
        io.out(`${name} may sign in as ${role}.`);
        if (role === 'manager' && feedsOfManager(email, ctx.config)?.length === 0)
          io.note(
            `No managers entry of the configuration has the address ${email}: ${name} sees no feed until one has.`,
          );
      });
    });
}

/** Refuses what else was written, which may be a password: unlike the usual messages this one does not repeat it. */
function assertNameOnly({ args: [, ...more] }: Command): void {
  if (more.length === 0) return;
  const [option] = more.flatMap((word) => /^--[a-z-]+|^-[a-z]/u.exec(word)?.[0] ?? []);
  const what = option === undefined ? 'There are too many arguments' : `There is no option ${option}`;
  const advice = 'it is asked for, or comes from standard input or --password-file';
  throw new OfferlineError('usage', `${what}. A password is never an argument: ${advice}.`);
}

function defineSwitch(user: Command, io: Io, what: 'disable' | 'enable'): void {
  const does =
    what === 'disable' ? 'Keep a user from signing in; their sessions end.' : 'Let a disabled user sign in again.';
  user
    .command(what)
    .description(does)
    .argument('<name>', 'a user; `offerline user list` shows them')
    .addHelpText('after', `\nExample:\n  offerline user ${what} anna\n`)
    .action((name: string, _options: object, command: Command) =>
      withSession(command, io, async ({ ctx }) => {
        const { disableUser, enableUser } = await import('../../access/users.ts');
        await (what === 'disable' ? disableUser : enableUser)(name, byThisUser(), ctx);
        io.out(`${name} is ${what}d.`);
      }),
    );
}

function defineList(user: Command, io: Io): void {
  user
    .command('list')
    .description('Show the users of the console.')
    .option('--json', 'answer with one JSON value')
    .addHelpText('after', '\nExample:\n  offerline user list\n')
    .action((options: { json?: true }, command: Command) =>
      withReader(command, io, async ({ ctx }) => {
        const { listUsers, providerOf } = await import('../../access/users.ts');
        const users = await listUsers(ctx);
        if (options.json === true)
          return io.json(
            users.map(({ name, role, email, language, created_at: since, disabled_at: disabled, subject, factor }) => ({
              name,
              role,
              email,
              language,
              since,
              disabled,
              provider: subject === null ? null : providerOf(subject),
              factor,
            })),
          );
        if (users.length === 0) return io.out('No users. Add one: offerline user add NAME --role admin');
        const [{ table }, { showTime }] = await Promise.all([import('../table.ts'), import('../../wording/words.ts')]);
        const rows = users.map(({ name, role, email, created_at: since, disabled_at: disabled, subject, factor }) => [
          name,
          role,
          email ?? '',
          showTime(since),
          [
            subject === null ? '' : `signs in with ${providerOf(subject)}`,
            factor ? 'second factor' : '',
            disabled === null ? '' : `disabled ${showTime(disabled)}`,
          ]
            .filter((part) => part !== '')
            .join('; '),
        ]);
        io.out(table(['name', 'role', 'email', 'since (UTC)', 'state'], rows));
      }),
    );
}
