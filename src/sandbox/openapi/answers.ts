import { int64 } from '../http/reply.ts';
import type { SandboxSettings } from '../settings.ts';
import type { Ssd } from '../ssd.ts';
import type { Answers } from './describe.ts';
import { REQUEST_ID } from './refusals.ts';
import kept from './answers.json' with { type: 'json' };

/** Ids of uploads go up by two. */
const ID_STEP = 2n;

const MARK = /<<(?:offer (\d+)|(\w+) (\d+)(?: ([^>]+))?)>>/g;

/**
 * What the sandbox has answered to the examples (`npm run generate`), with this data folder's ids and server data strings in
 * the places that are marked.
 */
export function answersOf(ssd: Ssd, settings: SandboxSettings): Record<string, Answers> {
  const { firstOfferId, processReply } = settings;
  const offerId = (step: string) => (BigInt(firstOfferId) + BigInt(step) * ID_STEP).toString();
  const fill = (text: string): unknown => {
    const id = /^<<offer (\d+)>>$/.exec(text)?.[1];
    if (id !== undefined) return int64(offerId(id));
    return text.replaceAll(MARK, (_, step: string | undefined, catalog: string, vehicle: string, place?: string) =>
      step === undefined
        ? ssd.write({ catalog, vehicle: Number(vehicle), ...(place === undefined ? {} : { place }) })
        : offerId(step),
    );
  };
  const filled = (value: unknown): unknown => {
    if (typeof value === 'string') return fill(value);
    if (Array.isArray(value)) return value.map(filled);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, filled(inner)]));
  };
  const answers = filled(kept) as Record<string, Answers>;
  const upload = answers['process'];
  if (processReply === 'bare' || upload === undefined) return answers;
  return { ...answers, process: { ...upload, reply: { data: upload.reply, requestId: REQUEST_ID } } };
}
