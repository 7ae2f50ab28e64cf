/** The recording page: consent and labels, the camera with prompts, and the choice to keep the recording. */

const PROMPTS = {
  centre: 'Look straight ahead',
  left: 'Turn your head to your left',
  right: 'Turn your head to your right',
  up: 'Tilt your head up',
  down: 'Tilt your head down',
};
const GUIDANCE = {
  ok: '',
  noFace: 'No face in the image',
  severalFaces: 'More than one face in the image',
  tooFar: 'Move closer',
  tooClose: 'Move back a little',
  offCentre: 'Move your face into the oval',
  tooDark: 'It is too dark',
  tooBright: 'It is too bright',
  turned: 'Face the camera',
};
/** Pixels of the longer side, the least width and the quality of a frame, as on the hosted page. */
const [SIDE, MIN_WIDTH, QUALITY] = [640, 320, 0.8];

const find = (id) => document.getElementById(id);
const video = find('video');
const form = find('labels');
const canvas = document.createElement('canvas');

/** The recording in progress. */
let take;
let stream;

function show(id) {
  for (const section of document.querySelectorAll('section')) section.hidden = section.id !== id;
  find(id).querySelector('h1')?.scrollIntoView();
}

function announce(text) {
  closeCamera();
  find('text').textContent = text;
  show('message');
}

function closeCamera() {
  for (const track of stream?.getTracks() ?? []) track.stop();
  stream = undefined;
}

async function post(path, body) {
  const response = await fetch(path, { method: 'POST', body });
  const reply = await response.json();
  if (!response.ok) throw new Error(reply.fault);
  return reply;
}

form.elements.kind.addEventListener('change', () => {
  const isAttack = form.elements.kind.value !== 'bonaFide';
  find('species').hidden = !isAttack;
  form.elements.species.required = isAttack;
});

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  try {
    stream = await navigator.mediaDevices.getUserMedia({
      audio: false,
      video: { facingMode: 'user', width: { ideal: 1280 }, height: { ideal: 960 }, frameRate: { ideal: 30 } },
    });
  } catch {
    return announce(
      'The camera is not available. Allow it in the browser, and close other programs that use it.',
    );
  }
  try {
    video.srcObject = stream;
    await video.play();
    await record(await post('takes', JSON.stringify({ consent: true, labels: labels(), camera: camera() })));
  } catch (error) {
    announce(error.message);
  }
});

function labels() {
  const { kind, subject, device, group, species } = Object.fromEntries(new FormData(form));
  const person = { subject, device, group };
  return kind === 'bonaFide'
    ? { label: kind, ...person }
    : { label: 'attack', type: kind, species, ...person };
}

function camera() {
  const [track] = stream.getVideoTracks();
  const { width, height, frameRate } = track.getSettings();
  return { label: track.label, width, height, frameRate };
}

async function record(begun) {
  take = begun;
  show('capture');
  let view = begun;
  while (take === begun && !view.over) {
    render(view);
    const pause = new Promise((resolve) => setTimeout(resolve, begun.frameIntervalMs));
    const sent = post(`takes/${begun.id}/frames`, await grab());
    // A frame that is on its way when the person stops is refused.
    view = await sent.catch((error) => (take === begun ? Promise.reject(error) : view));
    await pause;
  }
  if (take === begun) finish(view);
}

function render({ movement, guidance, step, steps, progress }) {
  const prompt = find('prompt');
  if (prompt.textContent !== PROMPTS[movement]) prompt.textContent = PROMPTS[movement];
  document.body.dataset.movement = movement;
  find('guidance').textContent = GUIDANCE[guidance];
  find('progress').value = (step + progress) / steps;
}

function grab() {
  const { videoWidth, videoHeight } = video;
  const longer = Math.max(videoWidth, videoHeight);
  const scale = Math.max(Math.min(SIDE / longer, 1), MIN_WIDTH / videoWidth);
  canvas.width = Math.round(videoWidth * scale);
  canvas.height = Math.round(videoHeight * scale);
  canvas.getContext('2d', { alpha: false }).drawImage(video, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', QUALITY));
}

function finish({ done }) {
  closeCamera();
  find('outcome').textContent = done ? 'The recording is complete' : 'The time is over';
  find('advice').textContent = done
    ? 'Keep it, or delete it now.'
    : 'Keep it anyway: a check that a person cannot complete is a result. Or delete it now.';
  show('end');
}

async function end(action, text) {
  const { id } = take;
  take = undefined;
  try {
    await post(`takes/${id}/${action}`);
    announce(text);
  } catch (error) {
    announce(error.message);
  }
}

find('keep').addEventListener('click', () => end('keep', 'The recording is saved.'));
find('discard').addEventListener('click', () => end('discard', 'The recording is deleted.'));
find('stop').addEventListener('click', () => end('discard', 'The recording is deleted.'));
find('again').addEventListener('click', () => {
  form.elements.consent.checked = false;
  show('consent');
});
