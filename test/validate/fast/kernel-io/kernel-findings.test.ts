import { expect, test } from 'vitest';
import { createMemory, type Kernel } from '../../../../src/validate/fast/wasm/kernel.ts';
import { createKernelFindings } from '../../../../src/validate/fast/kernel-io/kernel-findings.ts';
import type { Layout } from '../../../../src/validate/fast/kernel-io/layout.ts';
import type { ChunkBuffers } from '../../../../src/validate/fast/kernel-io/buffers.ts';

test('more than a million findings of a chunk come in the order of their lines', () => {
  const layout = { memory: createMemory(1024), templates: [] } as unknown as Layout;
  const kernel = { findingAt: { value: 64 } } as Kernel;
  const findings = createKernelFindings(layout, { findings: 64 } as ChunkBuffers, kernel);
  const [first, second] = ['1', '2'].map((text) => Buffer.from(text));
  const half = 600_000;
  const others = Array.from({ length: half * 2 }, (_, at) =>
    at < half ? { line: 7, text: first! } : { line: 2 ** 32 - 1, text: second! },
  );
  const text = findings.inOrder(others, others.length).toString('latin1');
  expect(text === '1'.repeat(half) + '2'.repeat(half)).toBe(true);
});
