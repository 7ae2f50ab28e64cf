/**
 * People in other skin tones, under the same exposure: the whole photograph of a head is scaled, channel by channel, until its
 * cheeks have the color of a tone. Eyes and teeth become darker as well, which makes the face harder to see than a real one.
 */
import type { Rgb } from './image';
import type { Person } from './people';

/**
 * Monk Skin Tone scale (Monk, 2019), from light to dark. In usual light, faces of tone 8 have a mean luma of 0.16 to 0.32, like the
 * darkest of 2,320 portraits (0.21 to 0.32 for the darker half of 47 with an individual typology angle below -30 degrees); those
 * of tones 9 and 10, with 0.08 to 0.16, are darker than any of them.
 */
export const tones = {
  2: [243, 231, 219],
  4: [234, 218, 186],
  6: [160, 126, 86],
  8: [96, 65, 52],
  9: [58, 49, 42],
  10: [41, 36, 32],
} as const satisfies Readonly<Record<number, Person['skin']>>;

export type Tone = keyof typeof tones;

/** The camera exposes for the lightest tones, which would otherwise be overexposed. */
const exposure = 0.85;

export function withTone(person: Person, tone: Tone): Person {
  const skin = tones[tone].map((level) => exposure * level) as unknown as Person['skin'];
  const gains = skin.map((level, channel) => level / (person.skin[channel] as number));
  return { ...person, skin, head: { ...person.head, texture: scaled(person.head.texture, gains) } };
}

function scaled({ data, ...size }: Rgb, gains: readonly number[]): Rgb {
  return { ...size, data: data.map((level, i) => Math.min(255, level * (gains[i % 3] as number))) };
}
