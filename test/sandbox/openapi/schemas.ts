import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Document } from '../../../scripts/openapi/calls.ts';

type Json = Record<string, unknown>;

/** Checks values against schemas of the document. Fields that it does not describe are problems too. */
export function schemaChecker({ components }: Document): (schema: Json, value: unknown) => unknown[] {
  const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
  ajv.addKeyword('components');
  addFormats.default(ajv);
  const closed = (schema: unknown): unknown => {
    if (Array.isArray(schema)) return schema.map(closed);
    if (typeof schema !== 'object' || schema === null) return schema;
    const inner = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]));
    const known = 'properties' in schema && 'required' in schema;
    return known ? { ...inner, additionalProperties: false } : inner;
  };
  ajv.addSchema({ $id: 'document', components: closed(components) as Json });
  return (schema, value) => {
    const text = JSON.stringify(closed(schema)).replaceAll('"#/components/', '"document#/components/');
    const check = ajv.compile(JSON.parse(text) as Json);
    return check(value) ? [] : (check.errors ?? []);
  };
}
