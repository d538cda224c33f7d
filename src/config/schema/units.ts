import { z } from './zod.ts';

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const UNIT_BYTES = { B: 1, KB: 1e3, MB: 1e6, GB: 1e9, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 } as const;

/** A duration such as `250ms`, `5s`, `15m`, `2h`, `14d`; read as milliseconds. */
export const duration = z
  .string({ error: 'expected a duration such as 250ms, 5s, 15m, 2h or 14d' })
  .regex(/^\d+(\.\d+)?(ms|s|m|h|d)$/, 'expected a duration such as 250ms, 5s, 15m, 2h or 14d')
  .transform((text) => {
    const unit = /(ms|s|m|h|d)$/.exec(text)?.[1] as keyof typeof UNIT_MS;
    return Number.parseFloat(text) * UNIT_MS[unit];
  });

/** How often something is done, such as `1/s`, `30/m` or `500/h`; read as the milliseconds from one to the next. At most ten a second. */
export const rate = z
  .string({ error: 'expected a rate such as 1/s, 30/m or 500/h' })
  .regex(/^[1-9]\d{0,5}\/[smh]$/, 'expected a rate such as 1/s, 30/m or 500/h')
  .transform((text) => {
    const [count = '', unit = 's'] = text.split('/');
    return UNIT_MS[unit as 's' | 'm' | 'h'] / Number(count);
  })
  .refine((pause) => pause >= 100, 'expected at most ten a second (10/s)');

/** A size such as `500MB` or `2GiB`; read as bytes. */
export const size = z
  .string({ error: 'expected a size such as 500MB or 2GiB' })
  .regex(/^\d+(\.\d+)?(B|KB|MB|GB|KiB|MiB|GiB)$/, 'expected a size such as 500MB or 2GiB')
  .transform((text) => {
    const unit = /[A-Za-z]+$/.exec(text)?.[0] as keyof typeof UNIT_BYTES;
    return Math.round(Number.parseFloat(text) * UNIT_BYTES[unit]);
  });

/** A share such as `50%`; read as a fraction (0.5). Growth may be over 100 %. */
export const share = z
  .string({ error: 'expected a share such as 50%' })
  .regex(/^\d+(\.\d+)?%$/, 'expected a share such as 50%')
  .transform((text) => Number.parseFloat(text) / 100);

/** A share that cannot be over 100 %, such as how much of the rows may be lost; read as a fraction. */
export const part = share.refine((fraction) => fraction <= 1, 'expected a share of at most 100%');
