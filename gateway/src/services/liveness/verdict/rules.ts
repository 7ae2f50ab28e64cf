/**
 * All thresholds of the verdict, each with its basis. "Rendered" refers to the presentations of benchmarks/accuracy: they
 * prove that a rule works, and are not real error rates. "Portraits" refers to LFW: real people, measured one by one or in
 * pairs of the same person by `accuracy/portraits`, last at the commit 9f8b96ed24fb.
 *
 * A single refusal decides the verdict; comments that begin with "Policy" mark the refusals that depend on the policy.
 */
import limits from '@presenza/contract/limits.json';
import type { Measurements } from './measurements';
import type { Policy } from './policy';

const below = (value: number | null, limit: number) => value !== null && value < limit;

const { confidence: bands } = limits.liveness;

interface Sign {
  /** The band of an attempt that shows the sign. */
  readonly confidence: number;
  readonly isShown: (measurements: Measurements) => boolean;
  /** Whether a policy refuses the sign whatever its `minConfidence` is. */
  readonly isRefused: (policy: Policy) => boolean;
}

/**
 * Signs of a program in the place of page and camera. Each has innocent causes as well, so it lowers the confidence to a
 * band, and the lowest band counts. The bands keep the order that confidences had before, so that the `minConfidence` of
 * an account refuses the same signs.
 */
export const signs = {
  /** The label of the camera is that of a virtual one. It is easily changed, so this finds only careless attackers. */
  virtualCamera: {
    confidence: bands.suspected,
    isShown: ({ virtualCamera }) => virtualCamera > 0,
    isRefused: ({ refuseVirtualCamera }) => refuseVirtualCamera,
  },
  /** Headers contradict the client. A browser on an allowed page has no such fault, unless a proxy removes its headers. */
  scripted: {
    confidence: bands.suspected,
    isShown: ({ clientFaults }) => clientFaults > 0,
    isRefused: ({ level }) => level === 'strict',
  },
  /** The frames are not signed. Apps and pages that predate signatures send none. */
  unsigned: {
    confidence: bands.unsigned,
    isShown: ({ unsigned }) => unsigned > 0,
    isRefused: ({ level }) => level === 'strict',
  },
} as const satisfies Readonly<Record<string, Sign>>;

export type SignName = keyof typeof signs;

const refusedSign = (name: SignName) => (measurements: Measurements, policy: Policy) => {
  const { confidence, isShown, isRefused }: Sign = signs[name];
  return isShown(measurements) && (isRefused(policy) || confidence < policy.minConfidence);
};

export const refusals = {
  /**
   * A step has fewer than three frames with a face. The guidance completes none with fewer: the first needs five frontal
   * frames, a turn one before and two over its angle, a return three.
   */
  tooFewFrames: ({ framesPerStep }) => framesPerStep < 3,
  /** Frames are missing for 3 s, which leaves time to exchange what the camera sees. The page sends five a second. */
  gapInTime: ({ longestGapMs }) => longestGapMs > 3000,
  /** A nonce was issued for another attempt, or forged. */
  foreignNonces: ({ foreignNonces }) => foreignNonces > 0,
  /** Many nonces were used twice or late. A page that retries after a lost response repeats one or two. */
  repeatedNonces: ({ repeatedNonces, staleNonces }) => repeatedNonces + staleNonces > 5,
  /** Too many images equal the one before. A camera repeats images in the dark, but at most one in three. */
  repeatedImages: ({ repeatedShare }) => repeatedShare > 0.34,
  /** More than one frame in ten cannot be decoded. */
  unreadable: ({ unreadableShare }) => unreadableShare > 0.1,
  /** A second face is there, in more than one frame of twenty: fewer may be a detector's mistake or a passer-by. */
  severalFaces: ({ severalFacesShare }) => severalFacesShare > 0.05,
  /**
   * No frame shows a face for 3 s, or for a second without proof that the same face came back, which leaves time to exchange
   * faces. The detector loses heads for a frame or two during wide turns.
   */
  faceAway: ({ longestAbsenceMs, unprovenReturns }) => longestAbsenceMs > 3000 || unprovenReturns > 0,
  /**
   * The face changes: a frontal one is less similar to that of the best frame than the service's own threshold, or a face is
   * less similar than 0.6 to the one before. Portraits of two people reach the threshold in 0.09 % of pairs (179 of 208,676),
   * dark or blurred ones in at most 0.24 %, and portraits of one person, taken on different days, miss it in 1.3 % (4 of 305).
   * Neighboring frames may be turned: 3.7 % of two people reach 0.6 (23,220 of 626,868), and 0.1 % of one person do not (1 of
   * 892). Both are similarities and not distances, so the calibration of each embedding keeps the false matches. 72 rendered
   * stand-ins stay above 0.97. Rendered heads look alike to the embedding: 7 of 105 pairs of two people reach 0.8.
   */
  otherPerson: ({ leastSimilarity, leastContinuity }) =>
    below(leastSimilarity, 0.8) || below(leastContinuity, 0.6),
  /** A turn did not come while it was requested. The times of the requests do not overlap, so turns in another order miss. */
  missedTurn: ({ reached, requested }) => reached < requested,
  /** A turn came that was not requested. A recording of other turns shows some of them before the requested one comes. */
  unaskedTurn: ({ strays }) => strays > 0,
  /**
   * A turn came faster than people can react. They need 150 ms to start moving. Vigorous turns of the head peak at 780
   * degrees a second (group median: Grossman et al., "Frequency and velocity of rotational head perturbations during
   * locomotion", 1988), and the peak of the smoothest movement is 1.875 times its mean (Flash and Hogan, 1985), so 25 degrees
   * take 60 ms. A faster turn was known in advance.
   */
  tooFast: ({ leastLatencyMs }) => below(leastLatencyMs, 200),
  /**
   * The turns came too fast in the mean. One may be guessed, but a choice takes longer the more directions there are (Hick,
   * "On the rate of gain of information", 1952). The limit is set by judgment: 1,000 simulated heads of
   * test/liveness/pace.test.ts, which runs 100, take at least 1,000 ms in the mean of their turns.
   */
  foreknown: ({ meanLatencyMs }) => below(meanLatencyMs, 350),
  /**
   * The whole capture took less than its parts need at the page's pace of 200 ms: 800 ms from the first to the fifth frame
   * straight ahead, for each turn the 350 ms above and one more frame, and 400 ms from the first to the third frame of each
   * return before a turn that repeats. With three turns and no return 2.45 s; the fastest of 10 rendered visitors took 6.45
   * s, the fastest of the 1,000 simulated heads 5.6 s.
   */
  hurried: ({ captureMs, requested, returns }) => captureMs < 800 + 550 * requested + 400 * returns,
  /**
   * Frames come from another session of the account: three have its bytes, or two turned heads look alike. 50 replays of
   * rendered captures, encoded, moved, enlarged, brightened or given noise anew, had 6 and more such frames; 48 of them would
   * pass without this rule, and none passes with it. 54 visits of 18 rendered people, who took their seats in the same room
   * again, had at most one in common with the other visits of the same person and none with those of others. How exactly
   * real people return has not been measured.
   */
  reusedFrames: ({ identicalFrames, alikeFrames }) => (identicalFrames ?? 0) > 2 || (alikeFrames ?? 0) > 1,
  /**
   * The nose moves as on a flat face. 566 pairs of portraits with an angle of at least 25 degrees have a median of 0.37, a
   * first percentile of 0.26 and a minimum of 0.23; tilted prints reach 0.06 to 0.28. Smaller angles show too little: of all
   * pairs from 15 degrees on, one in seven lies below the limit.
   */
  flat: ({ parallax }) => below(parallax, 0.2),
  /**
   * No frames show depth or its absence. A sheet that flips past all angles that do gives neither measurement; a head that
   * follows the turns gives at least one.
   */
  noDepth: ({ parallax, foreshortening }) => parallax === null && foreshortening === null,
  /**
   * A turned face is narrower than its pose allows. 87 pairs of portraits that differ like the frames of an attempt, by 25
   * degrees to a side and at most 8 up or down, have a median of 1.03; 5 % lie below 0.97 and one below the limit, at 0.86. 9
   * rendered people at 34 to 70 cm stay at 1.0 or above; prints that seem to turn lie at 0.77 to 0.95. Raised frontal frames
   * also seem squeezed (9 of 20 pairs with one frame raised by 14 degrees lie below), so they count only without level ones.
   */
  squeezed: ({ foreshortening }) => below(foreshortening, 0.93),
  /**
   * Turned faces look stretched from a frontal photo. The limit, the 99th percentile of portraits, is part of the probe. By
   * single image and by a probe that never saw the person, it refuses 4 of 390 turned portraits (1.0 %) and 3 of 374 degraded
   * ones (0.8 %, 95 %: 0.2 to 2.3): 2 of 90 with an individual typology angle of at most 10 degrees and 2 of 300 with a
   * larger one, degraded 0 of 84 and 3 of 290. Of 15 faces in other photos, on some of which hair or a shoulder covers the
   * side of the head, it refuses 2. It refuses none of 128 pairs of turns by rendered stand-ins, 32 each with skin of the
   * Monk tones 2, 6, 8 and 10. It catches 63 % of 1,165 and 42 % of 1,055 frontal portraits that two renderers turned, 40 and
   * 16 % if the probe does not know the renderer, and none of 16 heads made from photos taken from the side. It refuses 2 of
   * 16 heads in most groups of `accuracy/tones`, but 6 with tone 10 in usual and 4 with tone 8 in dim light. A probe that
   * also saw the wall behind the face caught 79 and 67 %, and 19 and 6 % of unknown renderers, but refused 12 of 32 stand-ins
   * with the tones 8 and 10. `strict` has no lower limit: the 95th percentile of the portraits would refuse 12 of 94
   * stand-ins, and 8 of the 90 portraits against 12 of the 300. Press photos are no selfies: how cameras at an arm's length
   * score has not been measured. The weights are public: 14 gradient steps of at most 7 levels brought 43 of 43 turned photos
   * below the limit of an earlier probe.
   */
  smeared: ({ smear }) => smear !== null && smear > 0,
  /**
   * No frame shows the side of the head, so it snapped past all angles at which its side is measured. Every attempt has a
   * turn to a side, and users usually take 0.7 s and more for it, so two of five frames a second lie between. One suffices,
   * because users may turn farther than the probe measures and leave one on the way, as a rendered stand-in did. How often
   * users snap is not known.
   */
  sideUnseen: ({ sideFrames }) => sideFrames === 0,
  /**
   * The images have the trace of a screen. 99 % of 2,320 portraits stay within 0.05, and one exceeds the limit: it was taken
   * from a television. Simulated recaptures of a sharp display reach 1.
   */
  screen: ({ screen }) => screen !== null && screen > 0.39,
  /** Policy: the sign, by `refuseVirtualCamera` or a `minConfidence` above its band. */
  virtualCamera: refusedSign('virtualCamera'),
  /** Policy: the sign, by the level `strict` or a `minConfidence` above its band. */
  scripted: refusedSign('scripted'),
  /** Policy: the sign, by the level `strict` or a `minConfidence` above its band. */
  unsigned: refusedSign('unsigned'),
  /**
   * Policy `requireLight`: the face does not reflect the colors of the page. Two of 192 rendered stand-ins fail by it
   * (`accuracy/tones`: 16 each with skin of six Monk tones from 2 to 10, in usual and dim light under `strict`), both with no
   * face for a whole step. Colors drawn for another attempt reach the limit in 1.1 % of draws (203 of 19,200 for the same
   * captures). A script that reads the colors passes. How strongly real faces reflect a page has not been measured, so there
   * is no upper limit.
   */
  noLight: ({ light }, { requireLight }) => requireLight && (light === null || light < 0.6),
} as const satisfies Readonly<Record<string, (measurements: Measurements, policy: Policy) => boolean>>;

export type RefusalName = keyof typeof refusals;
