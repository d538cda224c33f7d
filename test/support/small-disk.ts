import { execFileSync } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { atEnd } from './at-end.ts';

/** Mounts a disk of a size such as `4m` at a folder until the test has finished; false where that is not allowed. */
export function mountDisk(folder: string, size: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return false;
  }
  atEnd(() => execFileSync('umount', ['-l', folder]));
  return true;
}

/** Gives a mounted disk another size. */
export function resizeDisk(folder: string, size: string): void {
  execFileSync('mount', ['-o', `remount,size=${size}`, folder]);
}

/** Fills what is left of a disk with a file. */
export function fillDisk(file: string): void {
  const ballast = openSync(file, 'w');
  try {
    for (;;) writeSync(ballast, Buffer.alloc(4096));
  } catch {
    closeSync(ballast);
  }
}
