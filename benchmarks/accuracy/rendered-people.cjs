/** The rendered people and attacks of the gateway's liveness tests. */
require('../lib/typescript.cjs');

const { drawMovements, turnsAfter } = require('../../gateway/dist/services/liveness/capture/steps.js');
const { habitsOf } = require('../../gateway/test/liveness/people/actor.ts');
const { recordAttempt } = require('../../gateway/test/liveness/people/attempt.ts');
const { warpedPhoto } = require('../../gateway/test/liveness/people/bent-image.ts');
const { samplePhotos } = require('../../gateway/test/liveness/people/fits.ts');
const {
  compressed,
  sensorNoise,
  shaken,
  tilted,
} = require('../../gateway/test/liveness/people/disguises.ts');
const { headFrom } = require('../../gateway/test/liveness/people/head.ts');
const { jpegOf, readRgb } = require('../../gateway/test/liveness/people/image.ts');
const { preparedClips, puppet } = require('../../gateway/test/liveness/people/injections.ts');
const { mirrored, oldFrames } = require('../../gateway/test/liveness/people/old-frames.ts');
const { loadPeople, personFrom } = require('../../gateway/test/liveness/people/people.ts');
const {
  onePhotoTurns,
  photoTurns,
  swappedTurns,
} = require('../../gateway/test/liveness/people/photo-pair.ts');
const { randomFrom } = require('../../gateway/test/liveness/people/random.ts');
const {
  inTurn,
  relighted,
  replayed,
  shifted,
  zoomed,
} = require('../../gateway/test/liveness/people/replay.ts');
const { straightOn, vga } = require('../../gateway/test/liveness/people/scene.ts');
const { sitter } = require('../../gateway/test/liveness/people/subject.ts');
const {
  colorsFrom,
  injectionSpecies,
  luckyReplay,
  presentationSpecies,
  setOf,
  standInSpecies,
  steeredSpecies,
} = require('../../gateway/test/liveness/people/species.ts');
const { withTone } = require('../../gateway/test/liveness/people/tones.ts');

exports.compressed = compressed;
exports.drawColors = colorsFrom;
exports.drawMovements = drawMovements;
exports.habitsOf = habitsOf;
exports.inTurn = inTurn;
exports.relighted = relighted;
exports.replayed = replayed;
exports.sensorNoise = sensorNoise;
exports.shifted = shifted;
exports.sitter = sitter;
exports.straightOn = straightOn;
exports.vga = vga;
exports.zoomed = zoomed;
exports.recordAttempt = recordAttempt;
exports.warpedPhoto = warpedPhoto;
exports.samplePhotos = samplePhotos;
exports.headFrom = headFrom;
exports.jpegOf = jpegOf;
exports.readRgb = readRgb;
exports.preparedClips = preparedClips;
exports.puppet = puppet;
exports.loadPeople = loadPeople;
exports.randomFrom = randomFrom;
exports.injectionSpecies = injectionSpecies;
exports.luckyReplay = luckyReplay;
exports.presentationSpecies = presentationSpecies;
exports.standInSpecies = standInSpecies;
exports.steeredSpecies = steeredSpecies;
exports.shaken = shaken;
exports.tilted = tilted;
exports.mirrored = mirrored;
exports.oldFrames = oldFrames;
exports.personFrom = personFrom;
exports.onePhotoTurns = onePhotoTurns;
exports.photoTurns = photoTurns;
exports.swappedTurns = swappedTurns;
exports.setOf = setOf;
exports.turnsAfter = turnsAfter;
exports.withTone = withTone;
