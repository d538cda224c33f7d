import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { operationsOf, type Operation } from '../../../scripts/openapi/calls.ts';
import { playDocument, type Played, type PlayedRefusal } from '../../../scripts/openapi/play.ts';
import { openApiAnswers } from '../../../scripts/generate/openapi-answers.ts';
import { schemaChecker } from './schemas.ts';

const played = await playDocument();
const { document, good, refused } = played;
const operations = operationsOf(document);
const problemsOf = schemaChecker(document);

/** What a reply has against the response that the document describes for its status. */
function problems({ operation, reply }: { operation: Operation; reply: Played['reply'] }): unknown[] {
  const response = operation.responses[String(reply.status)];
  if (response === undefined) return [`${reply.status} is not described`];
  const type = reply.headers.get('content-type')!.split(';', 1)[0]!;
  const content = response.content[type];
  if (content === undefined) return [`${type} is not described`];
  const missing = Object.keys(response.headers ?? {}).filter((name) => !reply.headers.has(name));
  const value: unknown = type === 'application/json' ? JSON.parse(reply.text) : reply.text;
  return [...missing, ...problemsOf(content.schema, value)];
}

function playedOf<T extends { id: string }>(all: T[], { operationId }: Operation): T[] {
  return all.filter(({ id }) => id === operationId);
}

describe('what the sandbox replies is what the document describes', () => {
  test.each(operations)('$method $path', ({ operation }) => {
    const replies = playedOf(good, operation);

    expect(replies.length).toBeGreaterThan(0);
    for (const { reply } of replies) {
      expect(reply.status).toBe(200);
      expect(problems({ operation, reply })).toEqual([]);
    }
  });
});

describe('each refusal that the document describes can be provoked, and no other', () => {
  test.each(operations)('$method $path', ({ operation }) => {
    const replies = playedOf(refused, operation);
    const described = Object.entries(operation.responses)
      .filter(([status]) => /^[45]/.test(status))
      .flatMap(([status, { content }]) =>
        Object.values(content).flatMap(({ examples }) =>
          Object.keys(examples ?? {}).map((code) => `${status} ${code}`),
        ),
      );

    expect(replies.map(({ reply, code }) => `${reply.status} ${code}`).toSorted()).toEqual(described.toSorted());
    for (const { reply, code } of replies) {
      expect(problems({ operation, reply })).toEqual([]);
      expect(reply.text).toMatch(new RegExp(`code"?[:=]"${code}"`));
    }
  });
});

test('the document has every code that an operation refuses with', () => {
  const described = new Set(refused.map(({ code }: PlayedRefusal) => code));
  const documented = readFileSync(new URL('../../../docs/sandbox.md', import.meta.url), 'utf8');
  const [, refusals = ''] = /^## Refusals$([^]*?)^## /m.exec(documented) ?? [];
  const codes = [...refusals.matchAll(/`([A-Z_]+)`/g)].map(([, code]) => code!);
  const elsewhere = ['INVALID_CONTROL', 'CONTROL_LOCAL_ONLY', 'PAGE_LOCAL_ONLY'];
  const general = ['UNKNOWN_PATH', 'METHOD_NOT_ALLOWED', 'INTERNAL'];

  expect(codes.filter((code) => ![...elsewhere, ...general].includes(code)).toSorted()).toEqual(
    [...described].toSorted(),
  );
});

test('the examples of replies are what the sandbox replies now', () => {
  const kept = readFileSync(new URL('../../../src/sandbox/openapi/answers.json', import.meta.url), 'utf8');

  // `npm run generate` writes them.
  expect(JSON.parse(openApiAnswers(played))).toEqual(JSON.parse(kept));
});
