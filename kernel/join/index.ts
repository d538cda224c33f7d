export { isFull, taken, touched } from './batch';
export { copyCells, createStore, keepCells } from './cell-store';
export { indexRows, keyed, repeated } from './index-rows';
export { joinRows, outEnd, passRows, withoutAny } from './join-rows';
export { allocate } from './memory';
export { addPart, createIndex, findPart, isMarked, mark, valueAt } from './part-index';
export { createPartner } from './partner';
export { broughtColumns, folded, letters, safe, settings } from './settings';
