import { readFile, writeFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import { STATUS } from '../../src/errors.ts';
import { ISSUES } from '../../src/validate/issues/catalogue.ts';
import { incidentMessages, RUN, runMessages, type Message } from '../generate/messages.ts';
import { inReference } from '../generate/links.ts';
import { configurationMistakes, errorMessages, loggedErrors } from './error-messages.ts';
import { ERROR_WORDS, LOG_WORDS, type Words } from './words.ts';

/** The page, of which everything above the mark is written by hand. */
export const PAGE = new URL('../../docs/reference/troubleshooting.md', import.meta.url);

const MARK =
  '<!-- Generated from here on, from the source code and scripts/troubleshooting by scripts/troubleshooting/page.ts; do not edit below. -->';

/** The page with what stands below the mark made anew; throws when an error has no words. */
export async function troubleshootingPage(): Promise<string> {
  const written = (await readFile(PAGE, 'utf8')).split(MARK)[0] ?? '';
  const sections = [
    written.trimEnd(),
    MARK,
    '## Errors of commands and runs',
    'By their code (`error.code` with `--json`, `code` in the log), each with its messages. `…` stands for what is known only when it happens.',
    ...errors(),
    '## Mistakes in the configuration',
    'What `offerline config check` says of a line, after its place and the path of the setting. [configuration.md](reference/configuration.md) has what each setting may be.',
    list(configurationMistakes().map((message) => `“${plain(message)}”`)),
    '## Errors in the log',
    'Lines of level 50, by their `msg`.',
    ...logLines(),
    '## Runs that did not get through',
    'By outcome and cause, as ops read them (`offerline show RUN`); [messages.md](reference/messages.md) has what managers read.',
    ...messages(runMessages().filter(({ of }) => /^(held|rejected|failed),/.test(of))),
    '## Incidents',
    'By kind, as ops read them (`offerline incidents`). `TEXT` stands for what is known about the incident.',
    ...messages(incidentMessages().filter(({ of }) => !of.startsWith('delivery'))),
    '## What is wrong in a file',
    'The issues that cost a row, or the whole file where that is said; [issues.md](reference/issues.md) has the warnings, too.',
    ...issues(),
  ];
  const [above, ...generated] = sections;
  return format([above, ...generated.map(inReference)].join('\n\n'), {
    ...(await resolveConfig(PAGE)),
    parser: 'markdown',
  });
}

function errors(): string[] {
  const found = errorMessages();
  return (Object.keys(STATUS) as (keyof typeof STATUS)[]).flatMap((code) => [
    `### \`${code}\``,
    `${ERROR_WORDS[code].meaning} Exit status ${STATUS[code].exit}.`,
    list(ERROR_WORDS[code].steps),
    list((found.get(code) ?? []).map((message) => `“${plain(message)}”`)),
  ]);
}

function logLines(): string[] {
  const logged = loggedErrors();
  const unknown = Object.keys(LOG_WORDS).filter((message) => !logged.includes(message));
  if (unknown.length > 0) throw new Error(`words for what is not logged: ${unknown.join(', ')}`);
  return logged.flatMap((message) => {
    const words: Words | undefined = LOG_WORDS[message];
    if (words === undefined)
      throw new Error(`scripts/troubleshooting/words.ts has no words for the log line "${message}"`);
    return [`### ${message}`, words.meaning, list(words.steps)];
  });
}

function messages(all: Message[]): string[] {
  return all
    .filter(({ reader }) => reader === 'ops')
    .flatMap(({ of, headline, meaning, steps }) =>
      [`### ${of}`, `> ${headline}`, meaning, list(steps)].map((text) => withPlaceholders(text)),
    );
}

/** The names of the samples as the page writes them everywhere else. */
function withPlaceholders(text: string): string {
  return text
    .replaceAll(RUN, 'RUN')
    .replaceAll(/\bnorth\b/g, 'FEED')
    .replaceAll(/\bmain\b/g, 'LOGIN');
}

function issues(): string[] {
  return Object.entries(ISSUES)
    .filter(([, { severity }]) => severity === 'error')
    .flatMap(([code, { title, description, message }]) => [
      `### ${title} (\`${code}\`)`,
      description,
      `> ${plain(message)}`,
    ]);
}

function list(steps: string[]): string {
  return steps.map((step) => `- ${step}`).join('\n');
}

/** A message as text of Markdown: only its commands in backquotes are marked. */
function plain(message: string): string {
  return message
    .replaceAll(/\s*\n\s*/g, ' ')
    .split(/(`[^`]*`)/)
    .map((part, at) => (at % 2 === 1 ? part : part.replaceAll(/[\\<>*_[\]#|~&$]/g, String.raw`\$&`)))
    .join('');
}

if (import.meta.main) await writeFile(PAGE, await troubleshootingPage());
