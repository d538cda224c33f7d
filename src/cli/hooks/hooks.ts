import { Option, type Command } from 'commander';
import { OfferlineError } from '../../errors.ts';
import type { HookAnswer, MessageAnswer } from '../../jobs/hooks/answer.ts';
import { counted, showTime, span } from '../../wording/words.ts';
import { printable } from '../../wording/printable.ts';
import type { Io } from '../io.ts';
import { wholeNumber } from '../queries/page-option.ts';
import { byThisUser } from '../decisions/decision.ts';
import { assertKnown } from '../queries/runs.ts';
import { toDecide, withReader } from '../session.ts';

const HELP = `
Hooks (hooks.NAME in the configuration) are told of runs, incidents, datasets and decisions. docs/hooks.md says what they are sent.

Examples:
  offerline hooks list
  offerline hooks test ops
  offerline hooks replay ops
`;

/** Adds `hooks`: which hooks there are, what they were told, whether they can be told. */
export function define(program: Command, io: Io): void {
  const hooks = program
    .command('hooks')
    .description('See what hooks were told, try them, and send again what they did not take.')
    .addHelpText('after', HELP);
  defineList(hooks, io);
  defineTest(hooks, io);
  defineReplay(hooks, io);
}

type List = { limit: number; json?: true };

function defineList(hooks: Command, io: Io): void {
  hooks
    .command('list')
    .description('List the hooks and how they do; with a name, what that one was told and is to be told.')
    .argument('[hook]', 'a hook of the configuration')
    .addOption(new Option('--limit <number>', 'how many messages are listed').default(20).argParser(wholeNumber))
    .option('--json', 'answer with one JSON value')
    .addHelpText('after', '\nExample:\n  offerline hooks list ops --json\n')
    .action((hook: string | undefined, { limit, json }: List, command: Command) =>
      withReader(command, io, async ({ ctx }) => {
        assertKnown('hook', hook, Object.keys(ctx.config.hooks));
        const { hookAnswers, messageAnswers } = await import('../../jobs/hooks/answer.ts');
        const { table } = await import('../table.ts');
        if (hook === undefined) {
          const answers = await hookAnswers(ctx);
          if (json === true) return io.json(answers);
          if (answers.length === 0) return io.out('No hooks are configured.');
          const head = ['hook', 'to', 'waiting', 'oldest waits', 'given up', 'state'];
          return io.out(table(head, answers.map(hookCells)));
        }
        const answers = await messageAnswers(hook, limit, ctx);
        if (json === true) return io.json(answers);
        if (answers.length === 0) return io.out(`Nothing was to be told to ${hook} yet.`);
        io.out(table(['at (UTC)', 'message', 'event', 'about', 'state', 'error'], answers.map(messageCells)));
      }),
    );
}

function hookCells({ hook, to, waiting, oldest, givenUp, failing }: HookAnswer): string[] {
  const state = failing === null ? 'ok' : `failing since ${showTime(failing.since)}: ${printable(failing.error)}`;
  const waits = oldest === null ? '–' : `${span(oldest.waits)}: ${oldest.event} (${oldest.message})`;
  return [hook, to ?? '–', String(waiting), waits, String(givenUp), state];
}

function messageCells({ at, id, event, subject, state, error }: MessageAnswer): string[] {
  return [showTime(at), id, event, subject, state, printable(error ?? '')];
}

function defineTest(hooks: Command, io: Io): void {
  hooks
    .command('test')
    .description('Send a hook a message that says only that it is a test. Exits with 1 if it does not take it.')
    .argument('<hook>', 'a hook of the configuration')
    .option('--json', 'answer with one JSON value')
    .addHelpText('after', '\nExample:\n  offerline hooks test ops\n')
    .action((hook: string, { json }: { json?: true }, command: Command) =>
      toDecide(command, io, async ({ ctx }) => {
        assertKnown('hook', hook, Object.keys(ctx.config.hooks));
        const { testHook } = await import('../../jobs/hooks/test-hook.ts');
        const tested = await testHook(hook, byThisUser(), ctx, io.stopSignal());
        if (json === true) io.json(tested);
        else if (tested.taken) io.out(`${hook} took the message: it answered ${tested.status}.`);
        else io.out(`${hook} did not take the message: it ${tested.error}.`);
        if (!tested.taken) io.exit(1);
      }),
    );
}

function defineReplay(hooks: Command, io: Io): void {
  hooks
    .command('replay')
    .description('Have the messages sent again that were given up, or one, whatever became of it.')
    .argument('<hook>', 'a hook of the configuration')
    .argument('[message]', 'the id of a message; `offerline hooks list HOOK` shows them')
    .option('--json', 'answer with one JSON value')
    .addHelpText('after', '\nExample:\n  offerline hooks replay ops evt_3f9x0c7d5m8kq2w4t6y1b3n5vz\n')
    .action((hook: string, id: string | undefined, { json }: { json?: true }, command: Command) =>
      toDecide(command, io, async ({ ctx }) => {
        assertKnown('hook', hook, Object.keys(ctx.config.hooks));
        const { replayHook } = await import('../../jobs/hooks/test-hook.ts');
        const count = await replayHook(hook, id ?? null, byThisUser(), ctx);
        if (count === 0 && id !== undefined) {
          throw new OfferlineError(
            'not-found',
            `There is no message ${id} for ${hook}; \`offerline hooks list ${hook}\` shows those that there are.`,
          );
        }
        if (json === true) return io.json({ hook, messages: count });
        if (count === 0) return io.out(`No message for ${hook} was given up.`);
        io.out(`${counted(count, 'message')} for ${hook} will be sent by the next worker.`);
      }),
    );
}
