import { playHistories } from './live-histories.ts';

playHistories(4, 4);
