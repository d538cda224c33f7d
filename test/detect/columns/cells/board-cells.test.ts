import { describe, expect, test } from 'vitest';
import { boardCells } from '../../../../src/detect/columns/cells/board-cells.ts';

const looks = (cells: string[]) => boardCells(new Map(cells.map((cell) => [cell, 1])))?.looks ?? null;

describe('what a board says of its parts', () => {
  test.each([
    ['places', ['C1, C2', 'R1-R4', 'U1', 'U2', 'TEST POINT'], 'board'],
    ['cases', ['SOT-23', 'SO08', 'TO-220', 'C_0805_HandSoldering', 'see drawing'], 'board'],
    ['cases by their measures', ['SMA_L4.3-W2.6-LS5.2-RD', 'IND-SMD_L1.8-W1.1', 'HDR-TH_2P-P2.54-V-M'], 'board'],
    ['values', ['10uF', '22pF 50V', '4k7', '1000p/2KV', '33Ω', '0u1'], 'values'],
  ])('%s', (_, cells, expected) => expect(looks(cells)).toBe(expected));

  test.each([
    ['places of one kind only', ['C1', 'C2', 'C3', 'C14', 'C25']],
    ['kinds that do not begin at one', ['OC90', 'KL13', 'LX35', 'R214', 'C118', 'U37']],
    ['one case in all rows', ['SOT-23', 'SOT-23-5', 'BC547B', 'LM317T']],
    ['numbers that begin with a size', ['RC0603FR-071KL', 'CC0805KRX7R9BB104', 'C0603C104K5RACTU']],
    ['values among numbers', ['10uF', '4k7', 'LM317T', 'BC547B', '1N4148W']],
    ['nothing', []],
  ])('no more than numbers: %s', (_, cells) => expect(looks(cells)).toBeNull());
});
