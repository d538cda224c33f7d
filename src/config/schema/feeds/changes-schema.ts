import { duration } from '../units.ts';
import { z } from '../zod.ts';

/** What a delivery brings: all rows of the supplier, or what has changed since the one before. */
export type DeliveryKind = 'full' | 'changes';

const named = z.strictObject({ pattern: z.string().min(1) });

/** Whether deliveries are full lists or changes, for all of them or by the names of files. */
export const delivery = z.union([z.enum(['full', 'changes']), z.strictObject({ full: named, changes: named })], {
  error: 'expected full, changes, or { full: { pattern: … }, changes: { pattern: … } }',
});

/** Marks in a cell, compared without case and blanks around them. */
const marks = z
  .array(z.union([z.string().trim(), z.number().transform(String)]))
  .min(1)
  .max(100)
  .optional();

/** How the rows of changes say what is done with their parts, and how changes follow one another. */
export const change = z
  .strictObject({
    column: z.union([z.string().trim().min(1), z.int().min(1)]).optional(),
    added: marks,
    changed: marks,
    removed: marks,
    within: duration.prefault('2h'),
  })
  .superRefine(({ column, added, changed, removed }, context) => {
    const isMarked = [added, changed, removed].some((one) => one !== undefined);
    if (isMarked && column === undefined) {
      context.addIssue({
        code: 'custom',
        path: ['column'],
        message: 'expected the column in which the marks stand, such as column: Status',
      });
    }
    if (column !== undefined && removed === undefined) {
      context.addIssue({
        code: 'custom',
        path: ['removed'],
        message: 'expected the marks of rows whose parts are removed, such as removed: [D]',
      });
    }
  });
