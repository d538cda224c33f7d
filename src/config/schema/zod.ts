import { z } from 'zod';

// A configuration is checked once in a process: compiling the checks of its objects takes longer than making them.
z.config({ jitless: true });

export { z };
