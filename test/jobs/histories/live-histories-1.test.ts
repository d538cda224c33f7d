import { playHistories } from './live-histories.ts';

playHistories(1, 4);
