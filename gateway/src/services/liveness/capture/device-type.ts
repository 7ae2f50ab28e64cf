/** The kind of the device that begins a capture. It is a claim by the client, so a policy keeps out users, not attackers. */
import type { DeviceType } from '@presenza/contract/client/types.d.ts';
import { ApiError } from '../../../errors';
import type { SessionPolicy } from '../session/session-policy';

/** The statements of a client about its device. */
export interface DeviceClaim {
  /** The report of the app or page. */
  readonly type?: DeviceType | undefined;
  /** The header User-Agent. */
  readonly agent?: string | undefined;
  /** The header Sec-CH-UA-Mobile: `?1` for phones. */
  readonly mobile?: string | undefined;
}

/**
 * A report takes precedence over the headers, because an iPad's browser names a Mac. Tablets with Android leave the word
 * Mobile out.
 */
export function deviceTypeOf({ type, agent = '', mobile }: DeviceClaim): DeviceType {
  if (type) return type;
  if (/\biPad\b|\bTablet\b/.test(agent)) return 'tablet';
  if (mobile === '?1' || /\b(Mobile|iPhone)\b/.test(agent)) return 'phone';
  return /\bAndroid\b/.test(agent) ? 'tablet' : 'desktop';
}

/** @throws ApiError PERMISSION_DENIED */
export function checkDevice({ devices }: Pick<SessionPolicy, 'devices'>, claim: DeviceClaim): void {
  if (!devices.includes(deviceTypeOf(claim))) throw new ApiError('PERMISSION_DENIED', { reason: 'device' });
}
