import { playHistories } from './live-histories.ts';

playHistories(2, 4);
