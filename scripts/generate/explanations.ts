import { readFileSync } from 'node:fs';
import { STATUS, type ErrorCode } from '../../src/errors.ts';
import type { Explanation, Kind } from '../../src/explain/explanation.ts';
import { ISSUES } from '../../src/validate/issues/catalogue.ts';
import { defaultIn, listedOn } from './listed.ts';
import { incidentMessages, RUN, runMessages, type Message } from './messages.ts';
import { configurationMistakes, errorMessages } from '../troubleshooting/error-messages.ts';
import { ERROR_WORDS, LOG_WORDS } from '../troubleshooting/words.ts';

/** Names of the samples, and numbers, which are others in each message. */
const FACTS = new RegExp(String.raw`\b(?:${RUN}|north|main|TEXT|[\d,]*\d)\b`, 'g');

/** src/explain/explanations.json as the code and the pages make it. */
export function explanationIndex(): string {
  const all = explanations();
  const messages = all.flatMap(({ says }, at) => says.map((text) => [text, at] as const));
  const told = all.map(({ kind, code, meaning, steps, example, page }) => ({
    kind,
    code,
    meaning,
    steps,
    example,
    page,
  }));
  return `${JSON.stringify({ explanations: told, messages }, null, 1)}\n`;
}

/** An explanation, and the messages that it belongs to. */
type Told = Explanation & { says: string[] };

function explanations(): Told[] {
  return [
    ...outcomes(),
    ...causes(),
    ...issues(),
    ...incidents(),
    ...errors(),
    ...statuses(),
    ...settings(),
    ...logLines(),
  ];
}

function told(kind: Kind, code: string, meaning: string, more: Partial<Told> & { page: string }): Told {
  // A section of the page on which the words stand.
  const whole = (text: string) => text.replaceAll('](#', `](${more.page.split('#', 1)[0]}#`);
  const steps = (more.steps ?? []).map(whole);
  return { kind, code, example: null, says: [], ...more, meaning: whole(meaning), steps };
}

function outcomes(): Told[] {
  const page = readFileSync(new URL('../../docs/outcomes.md', import.meta.url), 'utf8').replaceAll(
    /\n +(?! *- )/g,
    ' ',
  );
  return [...page.matchAll(OUTCOME)].map(([, code, meaning, step]) =>
    told('outcome', code!, sentence(meaning!), {
      steps: step === 'nothing' ? [] : [step!],
      page: 'outcomes.md#outcomes',
    }),
  );
}

function causes(): Told[] {
  const found = runMessages().filter(({ reader, of }) => reader === 'ops' && !of.includes('rows') && of.includes(', '));
  return found.flatMap(({ of, headline, meaning, steps }) => {
    const [outcome, cause] = of.split(', ') as [string, string];
    if (['live', 'partial'].includes(outcome)) return [];
    return told('cause', cause, meaning, {
      steps: steps.map(asPattern),
      example: headline,
      says: [template(headline.slice(headline.indexOf('—') + 2))],
      page: 'reference/messages.md#runs',
    });
  });
}

function issues(): Told[] {
  return Object.entries(ISSUES).map(([code, { title, description, severity, message }]) =>
    told('issue', code, `${title} (${severity}). ${description}`, {
      example: message,
      says: [message.replaceAll(/\{\w+\}/g, '…')],
      page: `reference/issues.md#${code}`,
    }),
  );
}

function incidents(): Told[] {
  const found = incidentMessages().filter(({ reader, of }: Message) => reader === 'ops' && !of.startsWith('delivery'));
  return found.map(({ of, headline, meaning, steps }) =>
    told('incident', of, meaning, {
      steps: steps.map(asPattern),
      example: headline,
      says: [template(headline)],
      page: 'outcomes.md#incidents',
    }),
  );
}

function errors(): Told[] {
  const messages = errorMessages();
  messages.get('config')?.push(...configurationMistakes());
  return (Object.keys(STATUS) as ErrorCode[]).map((code) =>
    told('error', code, `${ERROR_WORDS[code].meaning} Exit status ${STATUS[code].exit}.`, {
      steps: ERROR_WORDS[code].steps,
      says: messages.get(code) ?? [],
      page: `reference/troubleshooting.md#${code}`,
    }),
  );
}

function statuses(): Told[] {
  return listedOn('reference/cli.md')
    .filter(({ names: [code] }) => /^\d+$/.test(code!))
    .map(({ names: [code], text }) =>
      told('exit status', code!, sentence(plain(text)), { page: 'reference/cli.md#exit-status' }),
    );
}

function settings(): Told[] {
  const page = 'reference/configuration.md';
  const all = listedOn(page).flatMap(({ names, note, text }) =>
    names.map((name) => {
      const meaning = sentence(plain(text));
      if (/^[A-Z_]+$/.test(name)) return told('variable', name, meaning, { page });
      const standard = plain(defaultIn(note));
      const example = standard === '—' || standard === 'required' ? null : `${name}: ${standard} (the default)`;
      return told('setting', name, meaning, { example, page });
    }),
  );
  return all.toSorted((a, b) => (a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : 0));
}

function logLines(): Told[] {
  return Object.entries(LOG_WORDS).map(([message, { meaning, steps }]) =>
    told('log line', message, meaning, {
      steps,
      says: [message],
      page: 'reference/troubleshooting.md#errors-in-the-log',
    }),
  );
}

/** An outcome in its list: what it means, and below it what to do. */
const OUTCOME = /^- `(\w+)`, exit \d: (.*)\.\n *- What to do: (.*)\.$/gm;

/** A text that is code alone, without its backquotes. */
function plain(text: string): string {
  return text.replace(/^`([^`]*)`$/, '$1');
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.:!?]$/.test(text) ? '' : '.'}`;
}

function template(headline: string): string {
  return headline.replaceAll(FACTS, '…');
}

/** A step with the names of the samples as the command line writes them. */
function asPattern(step: string): string {
  return step
    .replaceAll(RUN, 'RUN')
    .replaceAll(/\bnorth\b/g, 'FEED')
    .replaceAll(/\bmain\b/g, 'LOGIN');
}
