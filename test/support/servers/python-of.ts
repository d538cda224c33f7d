import { readFileSync } from 'node:fs';
import { findProgram } from '../programs.ts';

/** The Python that a program runs in: it has the modules of that program, which the first one of the machine may lack. */
export function pythonOf(name: string): string {
  const program = readFileSync(findProgram(name) ?? name, 'utf8');
  return /^#!\s*(\S+)/u.exec(program)?.[1] ?? 'python3';
}
