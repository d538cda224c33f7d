import { writeFile } from 'node:fs/promises';
import { READERS, type Reader } from '../src/wording/cause-words.ts';
import { endings, incidentMessages, runMessages, standingLines, STANDINGS, type Message } from './messages.ts';

const NAMES: Record<Reader, string> = {
  managers: 'Managers (mails, the report page)',
  ops: 'Ops (`show`, `incidents`)',
};

/** docs/messages.md as the table of causes makes it. */
export function messageDocs(): string {
  return [
    '# What people are told',
    '<!-- Generated from src/causes, src/wording/advice.ts and src/incidents.ts by scripts/write-message-docs.ts; do not edit. -->',
    [
      'Every combination of outcome, cause and reader, so that it can be read. The first line of each is what a run says that gives',
      'no reason of its own; a reason takes the place of what follows the dash.',
    ].join('\n'),
    '## Runs',
    ...byHeadline(runMessages()),
    '## What is live beside it',
    'What is live of the feed now stands beside each run whose own rows do not say it.',
    ...standings(),
    '## Incidents',
    '`TEXT` is what is known of the case.',
    ...byHeadline(incidentMessages()),
  ]
    .join('\n\n')
    .trimEnd()
    .concat('\n');
}

function byHeadline(messages: Message[]): string[] {
  return [...Map.groupBy(messages, ({ of }) => of)].map(([of, forReaders]) => {
    const [first] = forReaders;
    return [`### ${of}`, `> ${first?.headline}`, ...bodies(forReaders)].join('\n\n');
  });
}

/** Once for everybody where all read the same. */
function bodies(messages: Message[]): string[] {
  const meanings = [...new Set(messages.map(({ meaning }) => meaning))].filter((meaning) => meaning !== '');
  const steps = messages.map((message) => message.steps.map((step) => `- ${step}`).join('\n'));
  if (new Set(steps).size === 1) return [...meanings, ...(steps[0] === '' ? ['Nothing to do.'] : [steps[0] ?? ''])];
  return [...meanings, ...READERS.map((reader, at) => `${NAMES[reader]}:\n\n${steps[at] ?? ''}`)];
}

/** Runs that stand for others say the same of what is live. */
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
