import { REQUEST_ID } from '../../src/sandbox/openapi/refusals.ts';
import type { Ssd } from '../../src/sandbox/ssd.ts';
import type { playDocument } from '../openapi/play.ts';
import { FIRST_OFFER_ID } from '../openapi/stage.ts';

/** Lists are cut to so many entries: an example shows how an entry looks. */
const SHOWN = 2;

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;
/** A server data string: its first part proves it, the second begins with a brace in base64url. */
const SSD = /[\w-]{22}eyJ[\w-]+/g;
const OFFER = /\b70000000\d\d\b/g;

type Answers = Record<string, { reply: unknown; refusals: Record<string, string> }>;

/** The answers of the running sandbox to every example and for every refusal of its OpenAPI document, once it has been played. */
export function openApiAnswers({ good, refused, ssd }: Awaited<ReturnType<typeof playDocument>>): string {
  const answers: Answers = {};
  for (const { id, name, reply } of good) {
    if (reply.status !== 200) throw new Error(`${id}: ${reply.status} ${reply.text}`);
    const shown = example(reply.headers, reply.text, ssd);
    const before = answers[id]?.reply as Record<string, unknown> | undefined;
    answers[id] = { reply: name === '' ? shown : { ...before, [name]: shown }, refusals: {} };
  }
  for (const { id, code, reply } of refused) {
    const found = /"code":"(\w+)"|code="(\w+)"/.exec(reply.text);
    if ((found?.[1] ?? found?.[2]) !== code) throw new Error(`${id}: ${code} was expected, not ${reply.text}`);
    const isXml = reply.headers.get('content-type')!.startsWith('text/xml');
    const message = isXml ? reply.text : (JSON.parse(reply.text) as { error: { message: string } }).error.message;
    answers[id]!.refusals[code] = marked(message, ssd);
  }
  // The second spelling of a path has the answers of the first.
  const first = Object.entries(answers).filter(([id]) => !id.endsWith('2'));
  return `${JSON.stringify(Object.fromEntries(first), null, 2)}\n`;
}

function example(headers: Headers, text: string, ssd: Ssd): unknown {
  const isJson = headers.get('content-type')!.startsWith('application/json');
  return isJson ? shortened(JSON.parse(text), ssd) : marked(text, ssd);
}

function shortened(value: unknown, ssd: Ssd): unknown {
  if (typeof value === 'string' || typeof value === 'number') return markedValue(value, ssd);
  if (Array.isArray(value)) return value.slice(0, SHOWN).map((entry) => shortened(entry, ssd));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner, ssd)]));
}

function markedValue(value: string | number, ssd: Ssd): unknown {
  const text = marked(String(value), ssd);
  return text === String(value) ? value : text;
}

/** Marks what another data folder has otherwise, for src/sandbox/openapi/answers.ts to put in. */
function marked(text: string, ssd: Ssd): string {
  return text
    .replaceAll(UUID, REQUEST_ID)
    .replaceAll(OFFER, (id) => `<<offer ${(BigInt(id) - FIRST_OFFER_ID) / 2n}>>`)
    .replaceAll(SSD, (written) => {
      const { catalog, vehicle, place } = ssd.read(written);
      return `<<${[catalog, vehicle, ...(place === undefined ? [] : [place])].join(' ')}>>`;
    });
}
