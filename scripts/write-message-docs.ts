import { writeFile } from 'node:fs/promises';
import { READERS, type Reader } from '../src/wording/cause-words.ts';
import { endings, incidentMessages, runMessages, standingLines, STANDINGS, type Message } from './messages.ts';

const NAMES: Record<Reader, string> = {
  managers: 'Managers (mails, the report page)',
  ops: 'Ops (`show`, `incidents`)',
};

/** docs/messages.md, made from the table of causes. */
export function messageDocs(): string {
  return [
    '# What people read',
    '<!-- Generated from locales/en.json, src/wording/causes.ts, src/wording/advice.ts and src/incidents.ts by scripts/write-message-docs.ts; do not edit. -->',
    [
      'Every combination of outcome, cause and reader. Managers read it in their language (`locales/`), and of a run’s reason what is no',
      'technical fact. The first line for ops is the sentence of a run that has no reason of its own; a reason replaces what follows the dash.',
    ].join('\n'),
    '## Runs',
    ...byHeadline(runMessages()),
    '## What is live now',
    'Each run whose own rows do not show it also says what is live of its feed now.',
    ...standings(),
    '## Incidents',
    '`TEXT` stands for what is known about the incident.',
    ...byHeadline(incidentMessages()),
  ]
    .join('\n\n')
    .trimEnd()
    .concat('\n');
}

function byHeadline(messages: Message[]): string[] {
  return [...Map.groupBy(messages, ({ of }) => of)].map(([of, forReaders]) => {
    const headlines = new Set(forReaders.map(({ headline }) => headline));
    if (headlines.size > 1) return [`### ${of}`, ...forReaders.flatMap(wholly)].join('\n\n');
    return [`### ${of}`, `> ${[...headlines].join('')}`, ...bodies(forReaders)].join('\n\n');
  });
}

/** All that one reader reads, who has a headline of their own. */
function wholly({ reader, headline, meaning, steps }: Message): string[] {
  return [`${NAMES[reader]}:`, `> ${headline}`, ...(meaning === '' ? [] : [meaning]), stepList(steps)];
}

/** Once for all readers if they read the same. */
function bodies(messages: Message[]): string[] {
  const meanings = [...new Set(messages.map(({ meaning }) => meaning))].filter((meaning) => meaning !== '');
  const steps = messages.map((message) => stepList(message.steps));
  if (new Set(steps).size === 1) return [...meanings, ...steps.slice(0, 1)];
  return [...meanings, ...READERS.map((reader, at) => `${NAMES[reader]}:\n\n${steps[at]}`)];
}

function stepList(steps: string[]): string {
  return steps.length === 0 ? 'Nothing to do.' : steps.map((step) => `- ${step}`).join('\n');
}

/** Runs that say the same about what is live are grouped. */
function standings(): string[] {
  const groups = Map.groupBy(endings(), (end) =>
    JSON.stringify(Object.values(STANDINGS).map((now) => standingLines(end, now))),
  );
  return [...groups.values()].map((ends) => {
    const [first] = ends;
    const of = ends.map(({ outcome, cause }) => `${outcome ?? 'open'}, ${cause}`).join(' · ');
    const blocks = Object.entries(STANDINGS).map(([standing, now]) =>
      [`- ${standing}:`, ...(first === undefined ? [] : standingLines(first, now)).map((line) => `  - ${line}`)].join(
        '\n',
      ),
    );
    return [`### ${of}`, blocks.join('\n')].join('\n\n');
  });
}

if (import.meta.main) await writeFile(new URL('../docs/messages.md', import.meta.url), messageDocs());
