import type { z } from 'zod';
import { messageOf, OfferlineError } from '../../errors.ts';
import { nameOf, type Call, type Reply } from '../http/access.ts';
import { readWhole } from '../http/body.ts';
import { excerpt } from '../http/excerpt.ts';
import { readValue } from '../http/read.ts';
import type { CommandForm, Operation } from '../operation/operation.ts';
import { decodeXml } from '../xml/decode-xml.ts';
import { parseXml, type Element } from '../xml/parse-xml.ts';
import { recordsOf } from './records.ts';

export { commandCall } from './write-command.ts';

/** XML is read as a whole and takes much memory; replies of a catalog are smaller than this. */
const MAX_XML = 16 * 1024 * 1024;

/** Reads the XML reply of a command through the schema of the operation; says what came instead. */
export async function readCommand(
  { command, reply: schema }: Operation & { command: CommandForm; reply: z.ZodType },
  call: Call,
  reply: Reply,
): Promise<unknown> {
  const bytes = await readWhole(call, reply, MAX_XML);
  const shown = excerpt(bytes.toString('utf8'));
  let root: Element;
  try {
    root = await parseXml(decodeXml(bytes, reply.headers['content-type']));
  } catch (error) {
    throw new OfferlineError('service-reply', `${nameOf(call)} returned unusable XML, ${messageOf(error)}: ${shown}`, {
      retryable: true,
    });
  }
  if (root.name.toLowerCase() !== command.name.toLowerCase()) {
    throw new OfferlineError(
      'service-reply',
      `${nameOf(call)} returned <${root.name.slice(0, 50)}> instead of <${command.name}>: ${shown}`,
    );
  }
  return readValue(call, recordsOf(root), schema);
}
