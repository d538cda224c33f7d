import { writeFile } from 'node:fs/promises';
import type { Audience } from '../../src/incidents.ts';
import { endings, incidentMessages, runMessages, standingLines, STANDINGS, type Message } from './messages.ts';

const NAMES: Record<Audience, string> = {
  managers: 'Managers (mails, the report page)',
  ops: 'Ops (`show`, `incidents`)',
};

/** docs/reference/messages.md, made from the table of causes. */
export function messageDocs(): string {
  return [
    '# What people read',
    '<!-- Generated from locales/en.json, src/wording/causes.ts, src/wording/advice.ts and src/incidents.ts by scripts/generate/message-docs.ts; do not edit. -->',
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
    '`TEXT` stands for what is known about the incident; managers read of it what is no technical fact.',
    ...byHeadline(incidentMessages()),
  ]
    .join('\n\n')
    .trimEnd()
    .concat('\n');
}

function byHeadline(messages: Message[]): string[] {
  return [...Map.groupBy(messages, ({ of }) => of)].map(([of, forReaders]) =>
    [`### ${of}`, ...forReaders.flatMap(wholly)].join('\n\n'),
  );
}

/** All that one reader reads. */
function wholly({ reader, headline, meaning, steps }: Message): string[] {
  return [`${NAMES[reader]}:`, `> ${headline}`, ...(meaning === '' ? [] : [meaning]), stepList(steps)];
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

if (import.meta.main) await writeFile(new URL('../../docs/reference/messages.md', import.meta.url), messageDocs());
