/** The part of WebAssembly that kernels need; TypeScript has it only together with all of a browser. */
declare namespace WebAssembly {
  class Module {
    private readonly compiled: true;
  }
  class Memory {
    constructor(description: { initial: number; maximum: number; shared: boolean });
    readonly buffer: SharedArrayBuffer;
    grow(pages: number): number;
  }
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, unknown>>);
    readonly exports: Record<string, unknown>;
  }
  function compile(bytes: Uint8Array): Promise<Module>;
}
