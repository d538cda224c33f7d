import type { SandboxClock } from '../clock.ts';
import type { Call } from './call.ts';
import { Interruption, Refusal, type Reply } from '../http/reply.ts';
import type { Fault, FaultOf } from '../faults/schema.ts';

/** What faults act with. */
export type Stage = {
  clock: SandboxClock;
  /** Fires when the sandbox ends: nothing waits any longer. */
  stopping: AbortSignal;
  /** Another program uploads to the login at once. */
  foreignUpload: (call: Call, fault: FaultOf<'foreign-upload'>) => Promise<void>;
};

/** What acts when the operation has been carried out, if the fault says nothing else. */
const AFTER: Fault['fault'][] = ['lose-reply', 'cut-reply', 'truncate'];

function isLater(fault: Fault): boolean {
  return 'when' in fault ? fault.when === 'after' : AFTER.includes(fault.fault);
}

/** Plays the faults that come before an operation, or before a named file is accepted; throws what ends the call. */
export async function performBefore(call: Call, stage: Stage): Promise<void> {
  for (const fault of call.faults.take((fault) => !isLater(fault))) {
    await wait(fault, stage);
    if (fault.fault === 'refuse') throw refusalOf(fault);
    if (fault.fault === 'hang') throw new Interruption({ broken: 'silence' });
    if (fault.fault === 'html') throw new Interruption(htmlReply(fault.status));
    if (fault.fault === 'foreign-upload') await stage.foreignUpload(call, fault);
    // An upload is reset in the middle of its body, where its bytes are counted.
    if (fault.fault === 'reset' && call.faults.operation !== 'process') throw new Interruption({ broken: 'reset' });
  }
}

function refusalOf({ status, code, message, retryAfter }: FaultOf<'refuse'>): Refusal {
  const headers = retryAfter === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfter / 1000)) };
  return new Refusal(status, code, message, headers);
}

/** What the client gets instead of the reply of an operation that has been carried out. */
export async function performAfter(call: Call, reply: Reply, stage: Stage): Promise<Reply> {
  let changed = reply;
  for (const fault of call.faults.take(isLater)) {
    await wait(fault, stage);
    if (fault.fault === 'foreign-upload') await stage.foreignUpload(call, fault);
    else changed = replacement(fault, changed);
  }
  return changed;
}

function replacement(fault: Fault, reply: Reply): Reply {
  if (fault.fault === 'lose-reply') return { broken: 'reset' };
  if (fault.fault === 'hang') return { broken: 'silence' };
  if (fault.fault === 'html') return htmlReply(fault.status);
  if (fault.fault === 'truncate') return { halfOf: reply, closed: true };
  return fault.fault === 'cut-reply' ? { halfOf: reply, closed: false } : reply;
}

async function wait(fault: Fault, { clock, stopping }: Stage): Promise<void> {
  if (fault.delay > 0) await clock.until(clock.now() + fault.delay, stopping);
}

function htmlReply(status: number): Reply {
  const page =
    '<!DOCTYPE html>\n<html><head><title>Please wait</title></head><body><h1>Please wait</h1></body></html>\n';
  return { status, text: page, headers: { 'content-type': 'text/html; charset=utf-8' } };
}
