import { names } from '../names.ts';
import { z } from '../zod.ts';

const onOneLine = (text: z.ZodString) =>
  text
    .min(1)
    .max(200)
    .regex(/^\P{Cc}*$/u, 'expected a text on one line, without tabs and control characters');

/** A text that is put into cells. */
const cellText = onOneLine(z.string().trim());

/** What a person decides about rows. Conditions are read by `readCondition`, because they hold one another. */
export const rule = z.strictObject({
  name: cellText.max(60),
  when: names(z.string(), z.unknown()).optional(),
  leaveOut: z.literal(true).optional(),
  tags: z.strictObject({ add: z.array(cellText).optional(), remove: z.array(cellText).optional() }).optional(),
  set: z.strictObject({ name: cellText.optional(), brand: cellText.optional() }).optional(),
  off: z.literal(true).optional(),
});

/** Spellings of brands: for each brand the others, and a file of them. */
export const brands = z.strictObject({
  aliases: names(z.string(), z.array(z.string())).optional(),
  file: z.string().min(1).optional(),
});

/** What is taken off numbers at their beginning and their end. A blank towards the number is a part of it: `NT ` is not how `NTN` begins. */
export const strip = z.strictObject({
  prefix: z.array(onOneLine(z.string().overwrite((text) => text.trimStart())).max(20)).optional(),
  suffix: z.array(onOneLine(z.string().overwrite((text) => text.trimEnd())).max(20)).optional(),
});
