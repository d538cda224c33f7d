import { name } from './names.ts';
import { duration } from './units.ts';
import { z } from './zod.ts';

/** Labels of places that some workers reach and others do not, such as a disk or a network. */
export const labels = z.array(name).max(64);

/** How the worker shares its work with other processes; tests make the intervals short. */
export const worker = z.strictObject({
  name: name.optional(),
  serves: labels.default([]),
  concurrency: z.int().min(1).max(64).default(4),
  pulls: z.int().min(1).max(64).default(4),
  lease: duration.prefault('30s'),
  lock: duration.prefault('30s'),
  stalled: duration.prefault('15s'),
  sweep: duration.prefault('30s'),
});

/** A name of a worker from the command line or the environment, or what is wrong with it. */
export function readWorkerName(text: string): { value: string } | { problem: string } {
  const read = name.safeParse(text);
  return read.success ? { value: read.data } : { problem: `${read.error.issues[0]?.message}, found ${shown(text)}` };
}

/** Labels with commas in between, from the command line or the environment, or what is wrong with them. */
export function readLabels(text: string): { value: string[] } | { problem: string } {
  const written = text.split(',').map((label) => label.trim());
  const read = labels.safeParse(written.filter((label) => label !== ''));
  if (read.success) return { value: [...new Set(read.data)] };
  const [first] = read.error.issues;
  return { problem: `labels with commas in between: ${first?.message}, found ${shown(text)}` };
}

function shown(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
