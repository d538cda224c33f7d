import { format, resolveConfig } from 'prettier';
import type { Group, Operation } from '../../src/service/operation/operation.ts';
import { parametersOf } from '../../src/service/operation/parameters.ts';
import { OPERATIONS } from '../../src/service/operations.ts';
import { inReference } from '../generate/links.ts';
import { MEANINGS } from './meanings.ts';
import { fieldsOf, isRecord, recordsIn, typeOf, type Field } from './shapes.ts';

/** Where the reference is. */
export const PAGE = new URL('../../docs/reference/service-reference.md', import.meta.url);

const GROUPS: Record<Group, string> = { search: 'Search', offers: 'Uploads', vehicles: 'Vehicles', catalog: 'Catalog' };

/** The reference of every operation and record, made from the table of operations. */
export async function serviceReference(): Promise<string> {
  const operations = [...OPERATIONS.values()];
  const schemas = operations.flatMap(({ reply }) => (reply === 'file' ? [] : [reply]));
  const records = recordsIn(schemas);
  checkMeanings(
    schemas.flatMap((schema) => (isRecord(schema) ? [] : fieldsOf(schema))),
    records,
  );
  const sections = [
    '# Operations of the service',
    '<!-- Generated from src/service by scripts/service-reference/page.ts (`npm run generate`); do not edit. -->',
    'Every function of [the client](service-client.md), with its parameters and replies: what each is, and whether it may be missing. Each also takes [options of the call](service-client.md#one-call) and has `.withResponse`. `offers.waitUntilProcessed` and `vehicles.waitUntilIndexed` wait for what these begin. `offerline api` calls the same operations from the command line ([cli.md](reference/cli.md)).',
    ...[...Map.groupBy(operations, ({ group }) => group)].flatMap(groupSection),
    '## Records',
    'Fields that are not listed pass through. An id is a text of digits.',
    ...records.flatMap(({ name, fields }) => [`### ${name}`, fieldList(name, fields)]),
  ];
  return format(inReference(sections.join('\n\n')), { ...(await resolveConfig(PAGE)), parser: 'markdown' });
}

function groupSection([group, operations]: [Group, Operation[]]): string[] {
  return [`## ${GROUPS[group]}`, ...operations.flatMap(operationSection)];
}

function operationSection(operation: Operation): string[] {
  return [
    `### \`${operation.group}.${operation.name}\``,
    operation.about,
    facts(operation),
    parameterList(operation),
    ...replyOf(operation),
  ];
}

function facts(operation: Operation): string {
  const { method, paths, command, inQuery, paged, repeatable, name } = operation;
  const body =
    inQuery === undefined ? '' : `, with a JSON body but for ${inQuery.map((one) => `\`${one}\``).join(' and ')}`;
  const end = paged?.limit === Infinity ? '' : `, which end at ${paged?.limit.toLocaleString('en')} elements`;
  const lines = [
    `- Sent as ${method} ${paths.map((path) => `\`${path}\``).join(' or ')}${body}${command === undefined ? '' : `, or as the command \`${command.name}\``}.`,
    paged === undefined ? '' : `- Pages: \`.each\`, \`.byPage\` and \`.toArray\`${end}.`,
    repeatable ? '' : '- Sent once, never again by itself.',
    name === 'process'
      ? '- The client takes a file instead of `offersFile`: [uploading](service-client.md#uploading).'
      : '',
  ];
  return lines.filter((line) => line !== '').join('\n');
}

function parameterList(operation: Operation): string {
  return parametersOf(operation.parameters)
    .map(({ name, kind, required, description, default: usual = '' }) =>
      item(name, [kind.shown, required ? '**required**' : usual === '' ? '' : `default: ${usual}`], description),
    )
    .join('\n');
}

function replyOf({ reply, paged }: Operation): string[] {
  if (reply === 'file') return ['Gives a file: a stream with `fileName`, `contentType` and `bytes`.'];
  if (isRecord(reply)) return [`Gives ${typeOf(reply)}.`];
  return [`Gives a ${paged === undefined ? 'record' : 'page'}:`, fieldList('reply', fieldsOf(reply))];
}

function fieldList(record: string, fields: Field[]): string {
  return fields
    .map(({ name, type, always }) => item(name, [type, always ? '' : 'may be missing'], MEANINGS[record]?.[name] ?? ''))
    .join('\n');
}

function item(name: string, facts: string[], meaning: string): string {
  const known = facts.filter((fact) => fact !== '').join('; ');
  return `- \`${name}\` (${known})${meaning === '' ? '' : `: ${meaning}`}`;
}

/** A meaning of a field that there is not any more would say nothing to anybody. */
function checkMeanings(ofReplies: Field[], records: { name: string; fields: Field[] }[]): void {
  const known = new Set([
    ...ofReplies.map(({ name }) => `reply.${name}`),
    ...records.flatMap(({ name, fields }) => fields.map((field) => `${name}.${field.name}`)),
  ]);
  const given = Object.entries(MEANINGS).flatMap(([record, fields]) =>
    Object.keys(fields).map((name) => `${record}.${name}`),
  );
  const lost = given.filter((name) => !known.has(name));
  if (lost.length > 0)
    throw new Error(`scripts/service-reference/meanings.ts has words for what is not there: ${lost.join(', ')}`);
}
