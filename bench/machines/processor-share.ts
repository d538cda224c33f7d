import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PERIOD = 100_000;
const V1 = '/sys/fs/cgroup/cpu';
const V2 = '/sys/fs/cgroup';

/** A part of one processor that a process and its threads get at most. */
export type ProcessorShare = { add: (pid: number) => void; end: () => void };

/** Sets a share aside: `share` of one processor, by a control group of its own. Needs root on Linux. */
export function processorShare(name: string, share: number): ProcessorShare {
  const quota = Math.round(share * PERIOD);
  const isV2 = existsSync(join(V2, 'cgroup.controllers'));
  const folder = join(isV2 ? V2 : V1, `offerline-bench-${process.pid}-${name}`);
  try {
    if (isV2) writeFileSync(join(V2, 'cgroup.subtree_control'), '+cpu');
    mkdirSync(folder);
    if (isV2) writeFileSync(join(folder, 'cpu.max'), `${quota} ${PERIOD}`);
    else {
      writeFileSync(join(folder, 'cpu.cfs_period_us'), String(PERIOD));
      writeFileSync(join(folder, 'cpu.cfs_quota_us'), String(quota));
    }
  } catch (error) {
    throw new Error('A worker gets its share of a processor by a control group, which only root can make on Linux.', {
      cause: error,
    });
  }
  return {
    add: (pid) => writeFileSync(join(folder, 'cgroup.procs'), String(pid)),
    end: () => rmdirSync(folder),
  };
}

/** Keeps a process, its threads, and what it starts from now on to one processor. */
export function keepTo(processor: number, pid: number): void {
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', String(processor), String(pid)]);
}

/** Seconds of processor that a process, and those of its children that have ended, took; with those that still run where asked. */
export function processorSeconds(pid: number, { family = false } = {}): number {
  // The name between the brackets may hold anything.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /su, '')
    .split(' ');
  const own = fields.slice(11, family ? 15 : 13).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS;
  if (!family) return own;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return children.reduce((sum, child) => sum + secondsOrNone(Number(child)), own);
}

const TICKS = 100;

function secondsOrNone(pid: number): number {
  try {
    return processorSeconds(pid);
  } catch {
    // It has ended meanwhile, and counts with its parent from now on.
    return 0;
  }
}
