import { z } from 'zod';

/** A field of a record as the reference shows it. */
export type Field = { name: string; type: string; always: boolean };

/** A record of replies, under the name of its type. */
export type Shape = { name: string; fields: Field[] };

type Meta = { record?: string; shown?: string; known?: readonly string[] };

/** What a schema holds, in words; records are links to their tables. Throws for a schema that there are no words for. */
export function typeOf(schema: z.core.$ZodType): string {
  const { record, shown, known } = metaOf(schema);
  if (record !== undefined) return `[${record}](#${record.toLowerCase()})`;
  if (shown !== undefined) return shown;
  if (known !== undefined) return `text: ${known.map((word) => `\`${word}\``).join(', ')} or another`;
  if (schema instanceof z.ZodArray) return `list of ${typeOf(schema.element)}`;
  if (schema instanceof z.ZodString) return 'text';
  if (schema instanceof z.ZodNumber) return 'number';
  if (schema instanceof z.ZodBoolean) return 'true or false';
  if (schema instanceof z.ZodUnknown) return 'anything';
  if (schema instanceof z.ZodRecord) return 'values by name';
  if (schema instanceof z.ZodUnion) return isScalars(schema) ? 'text' : noWords(schema);
  const inner = insideOf(schema);
  return inner === undefined ? noWords(schema) : typeOf(inner);
}

/** The fields of an object; what is around a record (lists, what may be missing, what is mended first) is looked through. */
export function fieldsOf(schema: z.core.$ZodType): Field[] {
  const object = objectIn(schema);
  if (object === undefined) throw new TypeError(`no object in ${schema._zod.def.type}`);
  return Object.entries(object.shape).map(([name, field]) => ({
    name,
    type: typeOf(field),
    always: !isOptional(field),
  }));
}

/** Every named record in replies, in the order in which it is met. */
export function recordsIn(schemas: z.core.$ZodType[]): Shape[] {
  const found = new Map<string, Shape>();
  const visit = (schema: z.core.$ZodType): void => {
    const { record } = metaOf(schema);
    if (record !== undefined && found.has(record)) return;
    if (record !== undefined) found.set(record, { name: record, fields: fieldsOf(schema) });
    if (schema instanceof z.ZodObject) return Object.values(schema.shape).forEach(visit);
    const inner = insideOf(schema);
    if (inner !== undefined) visit(inner);
  };
  schemas.forEach(visit);
  return [...found.values()];
}

/** True for a reply that is a record of its own, or a list of them: there is nothing around it. */
export function isRecord(schema: z.core.$ZodType): boolean {
  const inner = insideOf(schema);
  return metaOf(schema).record !== undefined || (inner !== undefined && isRecord(inner));
}

function metaOf(schema: z.core.$ZodType): Meta {
  return (z.globalRegistry.get(schema) ?? {}) as Meta;
}

function objectIn(schema: z.core.$ZodType): z.ZodObject | undefined {
  if (schema instanceof z.ZodObject) return schema;
  const inner = insideOf(schema);
  return inner === undefined ? undefined : objectIn(inner);
}

/** What is inside of a schema that only wraps another: of what is mended first, the second; of what is changed after, the first. */
function insideOf(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodArray) return schema.element;
  if (schema instanceof z.ZodPipe) return schema.in instanceof z.ZodTransform ? schema.out : schema.in;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodCatch)
    return schema.unwrap();
  return schema instanceof z.ZodLazy ? schema.unwrap() : undefined;
}

function isOptional(schema: z.core.$ZodType): boolean {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodCatch;
}

/** A text in replies that are lax: also numbers and flags are taken for it. */
function isScalars(union: z.ZodUnion): boolean {
  return union.options.every((one) => ['string', 'number', 'int', 'boolean'].includes(one._zod.def.type));
}

function noWords(schema: z.core.$ZodType): never {
  throw new TypeError(
    `scripts/service-reference/shapes.ts has no words for a schema of the type ${schema._zod.def.type}`,
  );
}
