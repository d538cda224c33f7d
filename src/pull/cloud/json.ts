import type { z } from 'zod';
import type { ReplyMeter } from '../../io/peers/read-reply.ts';
import { textOf } from '../http/body.ts';
import { pullError } from '../http/errors.ts';
import type { Reply } from '../http/request.ts';
import { type Limited, REFUSAL } from '../limits.ts';

/** A page of a listing, which is read as a whole before it is taken apart. */
const PAGE: Limited = { what: 'a page of a listing', bytes: 16 * 1024 * 1024, time: 2 * 60_000 };

/**
 * What an interface answers, as far as the shape says; `otherwise` is said of anything else. A page of a listing is counted with the others
 * of it. Throws `pull-failed`.
 */
export async function jsonOf<T>(reply: Reply, shape: z.ZodType<T>, otherwise: string, meter?: ReplyMeter): Promise<T> {
  const text = await textOf(reply, PAGE);
  meter?.count({ bytes: text.length });
  const read = shape.safeParse(parsed(text));
  if (read.success) return read.data;
  throw pullError(reply.place, otherwise);
}

/** What a refusal says of itself; undefined where it is of another shape, or has no end. */
export async function refusalIn<T>(reply: Reply, shape: z.ZodType<T>): Promise<T | undefined> {
  const text = await textOf(reply, REFUSAL).catch(() => '');
  return shape.safeParse(parsed(text)).data;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
