/** The header that carries a trace from tier to tier (W3C Trace Context, level 1). */
export interface TraceParent {
  /** 32 hexadecimal digits, not all zero. */
  readonly traceId: string;
  /** 16 hexadecimal digits, not all zero. */
  readonly spanId: string;
  readonly sampled: boolean;
}

/** Versions after 00 may have more to say, behind another hyphen. */
const form = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/;

/** @returns undefined for anything malformed, which is as good as none. */
export function readTraceparent(header: string | undefined): TraceParent | undefined {
  const [, version, traceId, spanId, flags, more] = form.exec(header ?? '') ?? [];
  if (!traceId || !spanId || !flags || (version === '00' && more !== undefined)) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}
