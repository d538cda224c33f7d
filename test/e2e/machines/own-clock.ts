import { spawnSync } from 'node:child_process';
import { findProgram } from '../../support/programs.ts';

const unshare = findProgram('unshare');
const canShift = unshare !== undefined && spawnSync(unshare, ['--time', '--monotonic', '60', 'true']).status === 0;

const DAY = 86_400;
let started = 0;

/**
 * The words before a program that give it a monotonic clock of its own, as another machine has it: so leases are watched for their length and
 * never compared by one clock. None where the system has no such clocks or does not let us make one.
 */
export function clockOfItsOwn(): string[] {
  started += 1;
  return canShift ? [unshare, '--time', '--monotonic', String(started * DAY)] : [];
}
