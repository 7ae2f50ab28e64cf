/**
 * A script without a browser that attacks over HTTP, as an attacker's would: it makes a key, reads prompts and colors from the
 * responses of the API, and sends frames in real time.
 */
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { jpegOf } from '../rendered-people.cjs';

/** Names the format of the signed text. */
const FORMAT = 'liveness-frame-1';

/**
 * Runs one attempt.
 * @param {{ url: string, accessToken: string, device: string }} session its URL, and an id of the device as a page would make it
 * @param {import('../../../gateway/test/liveness/people/subject').Subject} subject
 * @returns {Promise<{ done: boolean, status: string, frames: number }>} `status` of the session after the verdict
 * @throws Error if the gateway refuses a call
 */
export async function attack({ url, accessToken, device }, subject) {
  const post = async (path, body, headers = {}) => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${accessToken}`, ...headers },
      body,
    });
    const reply = /** @type {any} */ (await response.json());
    if (!reply.success) throw new Error(`POST ${path}: ${JSON.stringify(reply.error)}`);
    return reply.data;
  };
  const json = (path, body) => post(path, JSON.stringify(body), { 'content-type': 'application/json' });
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { kty, crv, x, y } = publicKey.export({ format: 'jwk' });
  await json('/start', {});
  const { attemptId, nonces, light, step, frameIntervalMs, timeoutSeconds } = await json('/attempts', {
    consent: true,
    device: { id: device, camera: { label: 'Integrated Camera', width: 640, height: 480, frameRate: 30 } },
    publicKey: { kty, crv, x, y },
  });
  const began = performance.now();
  const elapsed = () => Math.round(performance.now() - began);
  let now = { ...step, done: false };
  let frames = 0;
  let shown = 0;
  // The subject's time passes with the frames, so on a busy machine it turns more slowly instead of skipping.
  let filmedMs = 0;
  subject.instruct(step.movement, 0);
  while (!now.done && elapsed() < 1000 * timeoutSeconds) {
    const ms = elapsed();
    filmedMs += frameIntervalMs;
    for (; light && shown < light.colors.length && shown * light.colorMs <= ms; shown++) {
      subject.shine?.(rgbOf(light.colors[shown]), filmedMs);
    }
    const image = await jpegOf(await subject.frameAt(filmedMs));
    const nonce = nonces.shift();
    const digest = createHash('sha256').update(image).digest('hex');
    const text = [FORMAT, attemptId, nonce, frames, ms, digest].join('\n');
    const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
    const seen = await post(`/attempts/${attemptId}/frames`, image, {
      'content-type': 'image/jpeg',
      'x-frame-nonce': nonce,
      'x-frame-signature': `${frames}.${ms}.${signature.toString('base64url')}`,
      ...(light && { 'x-frame-light': String(ms) }),
    });
    frames += 1;
    nonces.push(seen.nonce);
    const { movement } = seen.step;
    if (seen.step.index > now.index || movement !== now.movement) subject.instruct(movement, filmedMs);
    now = { ...seen.step, done: seen.done };
    await delay(Math.max(0, ms + frameIntervalMs - elapsed()));
  }
  const { status } = await json(`/attempts/${attemptId}/complete`, {});
  return { done: now.done, status, frames };
}

/** @returns {import('../../../gateway/test/liveness/people/light').Color} */
const rgbOf = (/** @type {string} */ color) =>
  /** @type {any} */ ([1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)));
