import { stageOutput } from '../../../src/cli/files/output-file.ts';

/* A process that begins to write a file and never ends. */
const staged = await stageOutput('--out', process.argv[2] ?? '');
process.stdout.write(staged?.path ?? '');
setInterval(() => undefined, 1 << 30);
