import type { z } from 'zod';

/** The groups of the interface's document. */
export type Group = 'offers' | 'search' | 'vehicles' | 'catalog';

/** How an operation is written in the command form: `Name:Key=value|Key=value`. */
export type CommandForm = {
  name: string;
  /** The key of each parameter that is sent. */
  keys: Readonly<Record<string, string>>;
  /** Parameters without which there is no such command, though the other form may leave them out. */
  required?: readonly string[];
  /** Values that are sent where the caller gives none. */
  defaults?: Readonly<Record<string, string>>;
  /** Keys whose yes and no are 1 and 0. */
  digits?: readonly string[];
};

/**
 * One operation of the remote interface. Its function, its entry in the list and help of `api`, and its completion are all
 * made from this.
 */
export type Operation = {
  name: string;
  group: Group;
  /** One sentence. */
  about: string;
  method: 'GET' | 'POST';
  /** Every spelling of the path, the short one first. */
  paths: readonly [string, ...string[]];
  /** Made of `required`, `optional` and `nullable`. */
  parameters: z.ZodObject;
  /** Parameters of the query; the others are a JSON body. Absent: all are of the query. */
  inQuery?: readonly string[];
  /** What comes back: JSON of this schema, or a file. */
  reply: z.ZodType | 'file';
  /** For pages: how many elements there are at most, all pages together. */
  paged?: { limit: number };
  /** Sending it twice does no harm, so that a lost reply may be asked for again. */
  repeatable: boolean;
  command?: CommandForm;
};

/** Gives an operation back with its exact type. */
export function operation<const O extends Operation>(described: O): O {
  return described;
}
