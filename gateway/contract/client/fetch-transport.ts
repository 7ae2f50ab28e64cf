/** HTTP transport with the fetch of Node.js or any other runtime. */
import type { Transport } from './transport.ts';

/** Longer timers would fire at once. */
const longestTimerMs = 2 ** 31 - 1;

export const fetchTransport: Transport = async ({ url, method, headers, body, timeoutMs, signal }) => {
  const controller = new AbortController();
  const onAbort = () => controller.abort(signal?.reason);
  const onTimeout = () => controller.abort(new DOMException('The request timed out.', 'TimeoutError'));
  // AbortSignal.timeout would keep its timer after the response: thousands of them at a high rate.
  const timer: unknown = setTimeout(onTimeout, Math.min(timeoutMs, longestTimerMs));
  // In Node.js, the timer must not keep the process alive. In other runtimes it is a number.
  (timer as { unref?(): void }).unref?.();
  const release = () => {
    clearTimeout(timer as number);
    signal?.removeEventListener('abort', onAbort);
  };
  signal?.addEventListener('abort', onAbort);
  if (signal?.aborted) onAbort();

  try {
    const init: RequestInit = { method, headers, redirect: 'manual', signal: controller.signal };
    const response = await fetch(url, body === undefined ? init : { ...init, body });
    const reader = response.body?.getReader();
    const decoder = new TextDecoder();
    return {
      status: response.status,
      header: (name) => response.headers.get(name) ?? undefined,
      read: async () => {
        try {
          const piece = await reader?.read();
          if (piece?.value !== undefined) return decoder.decode(piece.value, { stream: true });
          release();
          return undefined;
        } catch (error) {
          release();
          throw error;
        }
      },
      cancel: async () => {
        release();
        await reader?.cancel();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
};
