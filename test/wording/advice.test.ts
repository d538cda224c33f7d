import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { endings, incidentMessages, runMessages, standingLines, STANDINGS } from '../../scripts/generate/messages.ts';
import { messageDocs } from '../../scripts/generate/message-docs.ts';
import type { Io } from '../../src/cli/io.ts';
import { adviceOnIncident, INCIDENTS, type IncidentKind } from '../../src/incidents.ts';
import type { LiveNow } from '../../src/model.ts';

const MESSAGES = [...runMessages(), ...incidentMessages()];

/** Ends after which the accepted rows are there and only their upload is missing. */
const UPLOAD_AGAIN = ['refused', 'upload-failed', 'upload-aborted', 'failed-together', 'unproved'];

test('docs/reference/messages.md shows every combination of outcome, cause and reader (npm run generate writes it)', () => {
  expect(readFileSync(new URL('../../docs/reference/messages.md', import.meta.url), 'utf8')).toBe(messageDocs());
});

describe('every combination of outcome, cause and reader', () => {
  test('says what happened, what that means, and what to do about it', () => {
    const silent = MESSAGES.filter(({ headline, meaning }) => headline.trim() === '' || meaning.trim() === '');
    const helpless = MESSAGES.filter(({ of, steps }) => steps.length === 0 && !/^(?:live|open|unchanged),/.test(of));
    expect([silent, helpless]).toEqual([[], []]);
  });

  test('is whole sentences, in which nothing is left to be filled in', () => {
    const texts = MESSAGES.flatMap(({ headline, meaning, steps }) => [headline, meaning, ...steps]);
    expect(texts.filter((text) => /undefined|null|NaN|\[object|[{}]|\s{2}| ,|\.\./.test(text))).toEqual([]);
    const sentences = MESSAGES.flatMap(({ meaning, steps }) => [meaning, ...steps]);
    expect(sentences.filter((text) => !/(?:[.]|`)$/.test(text))).toEqual([]);
  });

  test('has at most one command in a step', () => {
    const steps = MESSAGES.flatMap((message) => message.steps);
    expect(steps.filter((step) => ![0, 2].includes(step.split('`').length - 1))).toEqual([]);
  });
});

test('what the service did not make live is uploaded again; no other file is asked for', () => {
  const concerned = MESSAGES.filter(({ of }) => UPLOAD_AGAIN.some((cause) => of.endsWith(`, ${cause}`)));
  expect(concerned).toHaveLength(UPLOAD_AGAIN.length * 2 * 2);
  const silent = concerned
    .filter(({ reader }) => reader === 'ops')
    .filter(({ steps }) => !/`offerline rerun \S+ --from upload --wait`/.test(steps.join('\n')));
  expect(silent).toEqual([]);
  expect(concerned.flatMap(({ steps }) => steps).filter((step) => /supplier for|good file|send a/.test(step))).toEqual(
    [],
  );
});

test('each command that is named exists, with its options', async () => {
  const steps = MESSAGES.flatMap((message) => message.steps).join('\n');
  const named = new Set([...steps.matchAll(/`offerline ([^`]+)`/g)].map(([, words]) => words ?? ''));
  expect(named.size).toBeGreaterThan(12);
  expect((await Promise.all([...named].map(unknownIn))).flat()).toEqual([]);
});

/** What of a command line does not exist. */
async function unknownIn(line: string): Promise<string[]> {
  const [name = '', ...words] = line.split(' ');
  const [file] = globSync(`src/cli/*/${name}.ts`);
  if (file === undefined) return [name];
  const program = new Command();
  const { define } = (await import(resolve(file))) as { define: (program: Command, io: Io) => void };
  define(program, {} as Io);
  const command = program.commands.find((one) => one.name() === name);
  const meant = command?.commands.find((one) => one.name() === words[0]) ?? command;
  const known = meant?.options.map(({ long }) => long) ?? [];
  return words.filter((word) => word.startsWith('--') && !known.includes(word)).map((option) => `${name} ${option}`);
}

describe('what is live beside a run', () => {
  const cases = endings().flatMap((end) =>
    Object.entries(STANDINGS).map(([standing, now]) => ({
      of: `${end.outcome ?? 'open'}, ${end.cause}: ${standing}`,
      now,
      text: standingLines(end, now).join('\n'),
    })),
  );

  test('is shown for every outcome, with the uncertainty if there is any', () => {
    const expected = ({ doubt }: LiveNow) =>
      doubt === null
        ? /^(?:Still live: \S+ rows since|Live now: no(?: rows since|thing of this feed))/m
        : new RegExp(`^Live now: uncertain: ${doubt}\nLast verified: `, 'm');
    expect(cases.filter(({ now, text }) => !expected(now).test(text))).toEqual([]);
    expect(cases.filter(({ text }) => /undefined|null|NaN|Invalid/.test(text))).toEqual([]);
  });

  test('a file that did not get through has nothing live, unless that is what is uncertain', () => {
    const first = (cause: string, standing: string) => {
      const end = endings().find((one) => one.cause === cause);
      return end && standingLines(end, STANDINGS[standing]!)[0];
    };
    const doubt = 'uncertain, and rows were verified before';
    expect(first('guard', 'rows are live')).toBe('From this file: nothing');
    expect(first('guard', doubt)).toBe('From this file: nothing');
    expect(first('upload-aborted', 'rows are live')).toBe('From this file: nothing');
    expect(first('upload-aborted', doubt)).toBe('From this file: unknown');
  });
});

test('incidents of earlier versions, which stored no cause, are explained without one', () => {
  const kind: IncidentKind = 'delivery';
  const facts = { kind, login: 'main', feed: 'north', run: null, text: 'held: too small' };
  expect(adviceOnIncident(facts)).toEqual({
    meaning: INCIDENTS.delivery.meaning,
    steps: ['See what was delivered: `offerline runs --feed north`'],
  });
});
