/** The person's camera: whether this browser can give it, how it is asked for, and why it may be missing. */
import type { CameraSettings } from './wire';

export interface Camera {
  readonly stream: MediaStream;
}

export type CameraProblem = 'denied' | 'dismissed' | 'none' | 'inUse' | 'failed';

/** How a denied camera is allowed again differs by these. */
export type BrowserFamily =
  | 'iosSafari'
  | 'macSafari'
  | 'firefox'
  | 'androidChrome'
  | 'desktopChrome'
  | 'other';

/** The picture is scaled down for sending; the preview is better for more. */
const CONSTRAINTS: MediaStreamConstraints = {
  audio: false,
  video: {
    facingMode: 'user',
    width: { ideal: 1280 },
    height: { ideal: 960 },
    frameRate: { ideal: 30 },
  },
};

/** What the page needs and Chrome 80, Firefox 75, Safari 13 and Edge 80 have; null when all of it is there. */
export function missingFeature(window: Window & typeof globalThis): 'insecure' | 'unsupported' | null {
  const { navigator, HTMLCanvasElement, AbortController, fetch } = window;
  // Browsers hide the camera from pages without TLS: that is not the browser's fault.
  if (window.isSecureContext === false) return 'insecure';
  const capable =
    typeof navigator.mediaDevices?.getUserMedia === 'function' &&
    typeof HTMLCanvasElement?.prototype.toBlob === 'function' &&
    typeof AbortController === 'function' &&
    typeof fetch === 'function';
  return capable ? null : 'unsupported';
}

export async function openCamera({
  mediaDevices,
  permissions,
}: Pick<Navigator, 'mediaDevices' | 'permissions'>): Promise<Camera | CameraProblem> {
  try {
    return { stream: await mediaDevices.getUserMedia(CONSTRAINTS) };
  } catch (error) {
    const { name, message } = error as DOMException;
    return problemOf({ name, message, permission: await permissionState(permissions) });
  }
}

interface CameraFailure {
  /** Of the DOMException. */
  name: string;
  message: string;
  /** What the browser says of the permission, where it does. */
  permission: PermissionState | undefined;
}

/** Names as in Media Capture and Streams, section 10.2, and those that older browsers give. */
export function problemOf({ name, message, permission }: CameraFailure): CameraProblem {
  switch (name) {
    case 'NotAllowedError':
    case 'PermissionDeniedError':
    case 'SecurityError':
      // Only Chromium tells a closed question from a refusal.
      return permission === 'prompt' || /dismiss/i.test(message) ? 'dismissed' : 'denied';
    case 'NotFoundError':
    case 'DevicesNotFoundError':
    case 'OverconstrainedError':
      return 'none';
    case 'NotReadableError':
    case 'TrackStartError':
    case 'AbortError':
      return 'inUse';
    default:
      return 'failed';
  }
}

/** Safari 13 has no permissions, Firefox 75 none named camera. */
async function permissionState(permissions?: Permissions): Promise<PermissionState | undefined> {
  try {
    return (await permissions?.query({ name: 'camera' as PermissionName }))?.state;
  } catch {
    return undefined;
  }
}

export const closeCamera = ({ stream }: Camera) => {
  for (const track of stream.getTracks()) track.stop();
};

/** What the track says of itself: requested and delivered settings are compared as a signal of risk. */
export function settingsOf({ stream }: Camera): CameraSettings {
  const [track] = stream.getVideoTracks();
  const { width, height, frameRate } = track?.getSettings() ?? {};
  return {
    ...(track?.label && { label: track.label.slice(0, 256) }),
    ...(width && { width: Math.round(width) }),
    ...(height && { height: Math.round(height) }),
    ...(frameRate && { frameRate }),
  };
}

/** By the user agent, which may be wrong: the advice it leads to is worded so that it does no harm. */
export function browserFamily({
  userAgent,
  maxTouchPoints,
}: Pick<Navigator, 'userAgent' | 'maxTouchPoints'>): BrowserFamily {
  // An iPad says that it is a Mac.
  if (/iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1))
    return 'iosSafari';
  if (/Firefox\//.test(userAgent)) return 'firefox';
  if (/Android/.test(userAgent)) return 'androidChrome';
  if (/Chrome\//.test(userAgent)) return 'desktopChrome';
  return /Safari\//.test(userAgent) ? 'macSafari' : 'other';
}
