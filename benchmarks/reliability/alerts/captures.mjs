/** Captures of clients that show still images in the place of a camera. */
import { send, steadily } from './traffic.mjs';

/** @typedef {Pick<import('./rig.mjs').Rig, 'service' | 'apiKey' | 'images'>} Client */
/** @typedef {{ url: string, token: string }} Session */

/** Each attempt with a photo sends so many. */
const FRAMES = 5;

/** @param {Client} client @returns {Promise<Session>} */
async function startSession({ service, apiKey }) {
  const { body } = await send(`${service.url}/liveness`, { token: apiKey, body: '{}' });
  const { sessionId, accessToken: token } = body.data;
  const url = `${service.url}/liveness/${sessionId}`;
  await send(`${url}/start`, { token, body: '{}' });
  return { url, token };
}

/** @param {Session} session @returns {Promise<{ attemptId: string, nonces: string[] }>} */
async function beginAttempt({ url, token }) {
  const camera = { label: 'Camera', width: 640, height: 480, frameRate: 5 };
  // Each session is that of another device, so that none is locked out.
  const device = { id: url.slice(url.lastIndexOf('/') + 1), camera };
  const { body } = await send(`${url}/attempts`, { token, body: JSON.stringify({ consent: true, device }) });
  return body.data;
}

/** @param {Client} client @param {Session} session @param {string} attemptId @param {string} nonce @returns {Promise<string | undefined>} the next nonce */
async function sendFrame({ images }, { url, token }, attemptId, nonce) {
  const image = Buffer.from(images[0].split(',')[1], 'base64');
  const headers = { 'content-type': 'image/jpeg', 'x-frame-nonce': nonce };
  const { body } = await send(`${url}/attempts/${attemptId}/frames`, { token, body: image, headers });
  return body.data?.nonce;
}

/** Sends frames of an attempt, each with the nonce that a call picks. @param {Client} client @param {(nonces: string[]) => string} pick */
export async function film(client, pick) {
  const begin = async () => {
    const session = await startSession(client);
    return { session, ...(await beginAttempt(session)) };
  };
  let capture = await begin();
  return steadily(3, async () => {
    const { session, attemptId, nonces } = capture;
    const nonce = await sendFrame(client, session, attemptId, pick(nonces));
    if (nonce) nonces.push(nonce);
    if (nonces.length === 0) capture = await begin();
  });
}

/** A whole session with a photo that does not turn its head: each attempt gets a verdict, until none is left. @param {Client} client */
export async function presentPhoto(client) {
  const session = await startSession(client);
  const { url, token } = session;
  for (let left = 1; left > 0; ) {
    const { attemptId, nonces } = await beginAttempt(session);
    for (let i = 0; i < FRAMES; i++) {
      const nonce = await sendFrame(client, session, attemptId, nonces.shift() ?? '');
      if (nonce) nonces.push(nonce);
    }
    const { body } = await send(`${url}/attempts/${attemptId}/complete`, { token, body: '{}' });
    left = body.data?.attemptsLeft ?? 0;
  }
}
