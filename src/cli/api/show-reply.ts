import type { Operation } from '../../service/operation/operation.ts';
import { printable } from '../../wording/printable.ts';
import { showTime } from '../../wording/words.ts';
import { table } from '../table.ts';
import { drawTree } from './draw-tree.ts';
import { treeOf } from './trees.ts';

const CELL = 48;
/** What has to be copied whole into the next call; it comes last so that it does not push the others off the screen. */
const WHOLE = ['id', 'detailId', 'autoInfoId', 'vehicleId', 'unitId', 'quickGroupId', 'ssd'];

type Row = Record<string, unknown>;

/** A reply for people: vehicles, groups and catalogs as trees, other lists as tables, one record as its fields. */
export function showReply(operation: Operation, reply: unknown): string {
  const data = isRow(reply) && 'data' in reply ? reply['data'] : reply;
  const tree = treeOf(operation, data);
  const lines = [tree === null ? showData(data) : drawTree(tree)];
  if (Array.isArray(data) && data.length === 0) lines[0] = 'Nothing found.';
  if (isRow(reply)) lines.push(...about(reply));
  return lines.join('\n');
}

function showData(data: unknown): string {
  if (Array.isArray(data) && data.every(isRow)) return showRows(data);
  if (Array.isArray(data)) return data.map(cell).join('\n');
  return isRow(data) ? fields(data) : cell(data);
}

function showRows(rows: Row[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const columns = [...names.filter((name) => name !== 'ssd'), ...names.filter((name) => name === 'ssd')];
  const filled = columns.filter((name) => rows.some((row) => show(name, row[name]) !== ''));
  const numeric = filled.filter((name) => rows.every((row) => ['number', 'undefined'].includes(typeof row[name])));
  return table(
    filled,
    rows.map((row) => filled.map((name) => clip(name, show(name, row[name])))),
    { numeric: numeric.filter((name) => !name.endsWith('Time')) },
  );
}

function fields(row: Row): string {
  const filled = Object.entries(row).filter(([name, value]) => show(name, value) !== '');
  const width = Math.max(...filled.map(([name]) => name.length), 0);
  return filled.map(([name, value]) => `${printable(name).padEnd(width)}  ${show(name, value)}`).join('\n');
}

/** What the reply says of itself: its pages and the name of the request. */
function about({ totalPages, totalElements, pageNumber, requestId }: Row): string[] {
  const pages =
    typeof totalPages === 'number' && typeof pageNumber === 'number'
      ? [`page ${pageNumber + 1} of ${totalPages}, ${cell(totalElements)} in all`]
      : [];
  const request = typeof requestId === 'string' ? [`requestId ${printable(requestId)}`] : [];
  return pages.length + request.length === 0 ? [] : ['', [...pages, ...request].join(' · ')];
}

function show(name: string, value: unknown): string {
  if (name.endsWith('Time') && typeof value === 'number') return showTime(value);
  return cell(value);
}

/** Any value as one line. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(cell).join(', ');
  if (!isRow(value)) return printable(typeof value === 'string' ? value : JSON.stringify(value));
  if (typeof value['key'] === 'string') return `${cell(value['name'] ?? value['key'])}=${cell(value['value'])}`;
  if (typeof value['label'] === 'string') return `${cell(value['label'])}=${cell(value['values'])}`;
  return printable(JSON.stringify(value));
}

function clip(name: string, text: string): string {
  if (WHOLE.includes(name)) return text;
  const letters = Array.from(text);
  return letters.length > CELL ? `${letters.slice(0, CELL - 1).join('')}…` : text;
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
