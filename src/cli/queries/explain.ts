import type { Command } from 'commander';
import { OfferlineError } from '../../errors.ts';
import type { Explanation, Kind } from '../../explain/explanation.ts';
import { printable, shortened } from '../../wording/printable.ts';
import type { Io } from '../io.ts';

type Options = { list?: true; json?: true };

const HELP = `
What is asked may be an outcome or a cause (held, guard), the code of an issue, an incident or an error, an exit status, a setting with or
without its beginning, a variable of the environment, or a whole line from a terminal, a log or a mail. Nothing is read but offerline itself.

Examples:
  offerline explain held
  offerline explain guard.maxRowDrop
  offerline explain exit 4
  offerline explain "prices.zip is encrypted. Ask for a file without a password."
`;

/** Adds `explain`: what a code, a setting or a message means, and what to do. */
export function define(program: Command, io: Io): void {
  program
    .command('explain')
    .description('Explain a code, a setting or a message: what it means, how it comes about, what to do.')
    .argument('[words...]', 'a code, a setting, or a whole line')
    .option('--list', 'list everything that can be explained by its code')
    .option('--json', 'answer with one JSON value')
    .addHelpText('after', HELP)
    .action(async (words: string[], options: Options) => {
      const asked = words.join(' ').trim();
      const isList = options.list === true;
      if (isList === (asked !== '')) {
        throw new OfferlineError(
          'usage',
          'Say what to explain, such as "offerline explain held", or give --list alone.',
        );
      }
      const { EXPLANATIONS } = await import('../../explain/explanation.ts');
      const found = isList ? [...EXPLANATIONS] : await explained(asked);
      if (options.json === true) return io.json({ explanations: found });
      const { fitText } = await import('../fit.ts');
      io.out(isList ? listed(found) : fitText(found.map(shown).join('\n\n')));
    });
}

async function explained(asked: string): Promise<Explanation[]> {
  const { explain } = await import('../../explain/find.ts');
  const { explanations, near } = explain(asked);
  if (explanations.length > 0) return explanations;
  const hint = near.length > 0 ? `Did you mean ${near.map((code) => `"${code}"`).join(' or ')}?` : ADVICE;
  throw new OfferlineError('not-found', `Nothing explains "${printable(shortened(asked, 120))}". ${hint}`);
}

const ADVICE = 'See what can be explained: offerline explain --list';

/** Kinds as a heading says them. */
const KINDS: Record<Kind, string> = {
  outcome: 'an outcome of a run',
  cause: 'why a run ended so',
  issue: 'an issue of a file',
  incident: 'an incident',
  error: 'an error',
  'exit status': 'an exit status',
  setting: 'a setting',
  variable: 'a variable of the environment',
  'log line': 'a line of the log',
};

function shown({ kind, code, meaning, steps, example, page }: Explanation): string {
  return [
    `${code}: ${KINDS[kind]}`,
    plain(meaning),
    ...steps.map((step) => `- ${plain(step)}`),
    ...(example === null ? [] : [`example  ${plain(example)}`]),
    `more     docs/${page}`,
  ].join('\n');
}

/** A text of a page without its links, whose addresses nobody can follow in a terminal. */
function plain(text: string): string {
  return text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
}

function listed(all: Explanation[]): string {
  return Object.keys(KINDS)
    .map((kind) => [`${kind}:`, ...all.filter((one) => one.kind === kind).map(({ code }) => `  ${code}`)].join('\n'))
    .join('\n');
}
