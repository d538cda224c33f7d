import { Option, type Command } from 'commander';
import { ROLES, type Role, type TokenRole } from '../../access/visitor.ts';
import type { Context } from '../../context.ts';
import { OfferlineError } from '../../errors.ts';
import { byThisUser } from '../decisions/decision.ts';
import type { Io } from '../io.ts';
import { readPeriod } from '../period.ts';
import { assertKnown } from '../queries/runs.ts';
import { withReader, withSession } from '../session.ts';

const HELP = `
A token goes into the header \`Authorization: Bearer TOKEN\` of calls to /api/v1 and /metrics. It is shown this once; only a hash
of it is kept.

Examples:
  offerline token add prometheus --role viewer
  offerline token add shop --role manager --feeds north,rhein --expires 90d
  offerline token add 'pushes of North' --push north
  offerline token rotate 20261124-100000-k3f9x
  offerline token revoke 20261124-100000-k3f9x
`;

/** Adds `token`: programs that may call the API of the console. */
export function define(program: Command, io: Io): void {
  const token = program
    .command('token')
    .description('Manage the tokens of programs that call the API of the console.')
    .addHelpText('after', HELP);
  defineAdd(token, io);
  defineRotate(token, io);
  token
    .command('revoke')
    .description('Revoke a token for good.')
    .argument('<id>', 'a token; `offerline token list` shows them')
    .addHelpText('after', '\nExample:\n  offerline token revoke 20261124-100000-k3f9x\n')
    .action((id: string, _options: object, command: Command) =>
      withSession(command, io, async ({ ctx }) => {
        const { revokeToken } = await import('../../access/tokens.ts');
        await revokeToken(id, byThisUser(), ctx);
        io.out(`Token ${id} is revoked.`);
      }),
    );
  defineList(token, io);
}

type Add = { role?: Role; feeds?: string; push?: string; expires?: number; json?: true };

function defineAdd(token: Command, io: Io): void {
  token
    .command('add')
    .description('Make a token for a program; it is shown this once.')
    .argument('<name>', 'what it is for')
    .addOption(new Option('--role <role>', 'what it may do').choices(ROLES).conflicts('push'))
    .option('--feeds <feeds>', 'only these feeds, separated by commas (default: all)')
    .addOption(
      new Option('--push <feeds>', 'instead of a role: push files to these feeds, and nothing else').conflicts('feeds'),
    )
    .option('--expires <period>', 'it ends after this: 12h, 90d', readPeriod)
    .option('--json', 'answer with one JSON value')
    .addHelpText('after', HELP)
    .action((name: string, { role: asked, feeds, push, expires, json }: Add, command: Command) =>
      withSession(command, io, async ({ ctx }) => {
        const role: TokenRole | undefined = push === undefined ? asked : 'push';
        if (role === undefined)
          throw new OfferlineError('usage', 'Say what the token may do: --role ROLE, or --push FEED[,FEED].');
        const named = (push ?? feeds)?.split(',').map((feed) => feed.trim()) ?? null;
        for (const feed of named ?? []) assertKnown('feed', feed, Object.keys(ctx.config.feeds));
        if (role === 'push') assertTakePushes(named ?? [], ctx);
        const { addToken } = await import('../../access/tokens.ts');
        const ends = expires === undefined ? null : (await ctx.ledger.now()) + expires;
        const { id, secret } = await addToken({ name, role, feeds: named, ends }, byThisUser(), ctx);
        if (json === true) return io.json({ id, token: secret, role, feeds: named, expires: ends });
        io.out(secret);
        io.note(`Token ${id}: copy it now, it is not shown again.`);
      }),
    );
}

/** How long the secret that another one replaces stays valid, if nothing is said: programs are changed over on working days. */
const OVERLAP = '7d';

type Rotate = { overlap?: number; atOnce?: true; expires?: number; json?: true };

function defineRotate(token: Command, io: Io): void {
  const overlap = `the secret that it has stays valid for this: 12h, 7d (default: ${OVERLAP})`;
  token
    .command('rotate')
    .description('Give a token another secret; the one that it has stays valid for a while.')
    .argument('<id>', 'a token; `offerline token list` shows them')
    .addOption(new Option('--overlap <period>', overlap).argParser(readPeriod))
    .addOption(new Option('--at-once', 'the secret that it has ends now: others saw it').conflicts('overlap'))
    .option('--expires <period>', 'the token ends after this from now on: 12h, 90d (default: as before)', readPeriod)
    .option('--json', 'answer with one JSON value')
    .addHelpText('after', '\nExample:\n  offerline token rotate 20261124-100000-k3f9x --overlap 3d\n')
    .action(
      (id: string, { overlap: kept = readPeriod(OVERLAP), atOnce, expires: period, json }: Rotate, command: Command) =>
        withSession(command, io, async ({ ctx }) => {
          const { rotateToken } = await import('../../access/tokens.ts');
          const ends = period === undefined ? null : (await ctx.ledger.now()) + period;
          const asked = { id, overlap: atOnce === true ? 0 : kept, ends };
          const { secret, formerEnds, expires } = await rotateToken(asked, byThisUser(), ctx);
          if (json === true) return io.json({ id, token: secret, former: formerEnds, expires });
          io.out(secret);
          const { showTime } = await import('../../wording/words.ts');
          const former = formerEnds === null ? 'has ended' : `stays valid until ${showTime(formerEnds)} (UTC)`;
          io.note(`Token ${id}: copy it now, it is not shown again. The secret before ${former}.`);
        }),
    );
}

/** Fails with `usage` for a feed that takes its files from elsewhere: a token to push to it would be refused each time. */
function assertTakePushes(feeds: string[], { config }: Pick<Context, 'config'>): void {
  for (const feed of feeds) {
    const type = config.feeds[feed]?.source.type;
    if (type === 'push') continue;
    const advice = `set feeds.${feed}.source to { type: push } first`;
    throw new OfferlineError('usage', `The feed ${feed} takes its files from a source of type ${type}; ${advice}.`);
  }
}

function defineList(token: Command, io: Io): void {
  token
    .command('list')
    .description('Show the tokens, never their secrets.')
    .option('--json', 'answer with one JSON value')
    .addHelpText('after', '\nExample:\n  offerline token list\n')
    .action((options: { json?: true }, command: Command) =>
      withReader(command, io, async ({ ctx }) => {
        const { listTokens } = await import('../../access/tokens.ts');
        const tokens = (await listTokens(ctx)).map(
          ({
            id,
            name,
            role,
            feeds,
            created_by: by,
            created_at: since,
            expires_at: expires,
            used_at: used,
            revoked_at: revoked,
            former_ends_at: ends,
            former_used_at: formerUsed,
          }) => {
            const former = ends === null ? null : { ends, used: formerUsed };
            return { id, name, role, feeds, by, since, expires, used, revoked, former };
          },
        );
        if (options.json === true) return io.json(tokens);
        if (tokens.length === 0) return io.out('No tokens.');
        const [{ table }, { showTime }] = await Promise.all([import('../table.ts'), import('../../wording/words.ts')]);
        const now = await ctx.ledger.now();
        const rows = tokens.map(({ id, name, role, feeds, by, used, expires, revoked, former }) => [
          id,
          name,
          role,
          feeds?.join(', ') ?? 'all',
          by,
          showTime(used),
          [
            revoked !== null ? `revoked ${showTime(revoked)}` : expires === null ? '' : `until ${showTime(expires)}`,
            revoked !== null || former === null || former.ends <= now
              ? ''
              : `secret before until ${showTime(former.ends)}, last used ${showTime(former.used) || 'never'}`,
          ]
            .filter((part) => part !== '')
            .join('; '),
        ]);
        io.out(table(['id', 'name', 'role', 'feeds', 'made by', 'last used (UTC)', 'state'], rows));
      }),
    );
}
