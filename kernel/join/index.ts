export { broughtColumns, configure, folded, letters, OWN_BYTES, safe, settings, SHARED_BYTES } from './areas';
export { isFull, ROW_BYTES, taken, touched } from './batch';
export { createStore, keepCells } from './cell-store';
export { addStaged, keyed, repeated, stageRows } from './index-rows';
export { joinRows, markMet, outEnd, passRows, withoutAny } from './join-rows';
export { allocate } from './memory';
export { addPart, createIndex, findPart, isMarked, mark, valueAt } from './part-index';
export { createPartner } from './partner';
