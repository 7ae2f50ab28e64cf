import { setTimeout as delay } from 'node:timers/promises';
import type { ApiResponse } from './phone';

/**
 * Retries a call until it succeeds, as the documentation advises clients.
 * @param expected error reasons that count as a success
 * @throws Error for any other error that a retry would not change
 */
export async function retryCall(
  call: () => Promise<ApiResponse>,
  expected: readonly string[] = [],
): Promise<ApiResponse> {
  for (;;) {
    const response = await call().catch(() => undefined);
    if (response?.status === 200) return response;
    const reason = response?.body.error.reason;
    if (response && expected.includes(reason)) return response;
    const isTemporary =
      !response || response.status >= 500 || reason === 'checking' || reason === 'inProgress';
    if (!isTemporary) throw new Error(JSON.stringify(response.body));
    await delay(Math.min(1_000, 1_000 * Number(response?.headers.get('retry-after') ?? 0.1)));
  }
}
