import { workerData } from 'node:worker_threads';
import { indexDataset, type IndexJob } from './index-dataset.ts';

await indexDataset(workerData as IndexJob);
