/** Access to the camera, and the reasons why it may be unavailable. */
import type { CameraSettings } from './wire';

export interface Camera {
  readonly stream: MediaStream;
}

export type CameraProblem = 'denied' | 'dismissed' | 'none' | 'inUse' | 'failed';

/** The steps to allow a denied camera differ between these browsers. */
export type BrowserFamily =
  | 'iosSafari'
  | 'macSafari'
  | 'firefox'
  | 'androidChrome'
  | 'desktopChrome'
  | 'other';

/** The preview benefits from a higher resolution than the uploaded frames. */
const CONSTRAINTS: MediaStreamConstraints = {
  audio: false,
  video: {
    facingMode: 'user',
    width: { ideal: 1280 },
    height: { ideal: 960 },
    frameRate: { ideal: 30 },
  },
};

/** Whether this page can use a camera: some browsers inside apps have none. Every browser that runs modules has the rest. */
export function missingFeature({
  isSecureContext,
  navigator,
}: Pick<Window, 'isSecureContext' | 'navigator'>): 'insecure' | 'unsupported' | null {
  // Browsers hide the camera from pages without TLS, which is a fault of the deployment.
  if (!isSecureContext) return 'insecure';
  return navigator.mediaDevices ? null : 'unsupported';
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
  /** Name of the DOMException. */
  name: string;
  message: string;
  /** State of the permission, in browsers that report it. */
  permission: PermissionState | undefined;
}

/** Names by Media Capture and Streams, section 10.2. */
export function problemOf({ name, message, permission }: CameraFailure): CameraProblem {
  switch (name) {
    case 'NotAllowedError':
    case 'SecurityError':
      // Only Chromium distinguishes a dismissed prompt from a denial.
      return permission === 'prompt' || /dismiss/i.test(message) ? 'dismissed' : 'denied';
    case 'NotFoundError':
    case 'OverconstrainedError':
      return 'none';
    case 'NotReadableError':
    case 'AbortError':
      return 'inUse';
    default:
      return 'failed';
  }
}

/** Safari 13 lacks the Permissions API, Firefox 75 the permission `camera`. */
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

/** The delivered settings, which the gateway compares with the requested ones as a risk signal. */
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

/** Reads the family from the user agent, which may be wrong. The resulting advice does no harm in other browsers. */
export function browserFamily({
  userAgent,
  maxTouchPoints,
}: Pick<Navigator, 'userAgent' | 'maxTouchPoints'>): BrowserFamily {
  // An iPad has the user agent of a Mac.
  if (/iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1))
    return 'iosSafari';
  if (/Firefox\//.test(userAgent)) return 'firefox';
  if (/Android/.test(userAgent)) return 'androidChrome';
  if (/Chrome\//.test(userAgent)) return 'desktopChrome';
  return /Safari\//.test(userAgent) ? 'macSafari' : 'other';
}
