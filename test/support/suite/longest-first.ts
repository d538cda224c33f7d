import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { SECONDS } from './parts.ts';

/** Begins with the files that take longest, so that none of them is still running when all others are over; new ones come first, by their size. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const secondsOf = ({ moduleId }: TestSpecification) =>
      SECONDS[relative(this.ctx.config.root, moduleId)] ?? Number.POSITIVE_INFINITY;
    const timed = (await super.sort(files)).map((file) => ({ file, seconds: secondsOf(file) }));
    return timed.sort((a, b) => (a.seconds === b.seconds ? 0 : b.seconds - a.seconds)).map(({ file }) => file);
  }
}
