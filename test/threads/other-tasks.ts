import { threadId } from 'node:worker_threads';

export function thread(): number {
  return threadId;
}
