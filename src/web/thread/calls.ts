import { fromThread } from '../../threads/thread.ts';
import type { CallMain, FromThread, ToThread } from './protocol.ts';

type Answer = Extract<ToThread, { answer: number }>;

/** Calls to the working process, and where their answers come in. */
export function callsTo(say: (message: FromThread) => void): { call: CallMain; take: (answer: Answer) => void } {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let calls = 0;
  return {
    call: ((name, args, asker) => {
      calls += 1;
      const answer = Promise.withResolvers<unknown>();
      waiting.set(calls, answer);
      say({ call: calls, name, args, asker });
      return answer.promise;
    }) as CallMain,
    take: ({ answer, result }) => {
      const call = waiting.get(answer);
      waiting.delete(answer);
      if ('ok' in result) call?.resolve(result.ok);
      else call?.reject(fromThread(result.error));
    },
  };
}
