import { playHistories } from './live-histories.ts';

playHistories(3, 4);
