/** Apparent age and gender as the age and gender model gives them. */
import type { AgeRange, Gender } from '../../wire/faces';

/**
 * Half the width of a range in years. On 373 press portraits of 56 people whose year of birth is known the model was
 * off by 6.1 years in the mean and by at most 7 for two of three.
 */
const margin = 7;

const years = (age: number) => Math.min(120, Math.max(0, Math.round(age)));

export const ageRangeOf = (age: number): AgeRange => ({
  low: years(age - margin),
  high: years(age + margin),
});

/** @param probabilities of male and female. */
export function genderOf(probabilities: ArrayLike<number>): Gender {
  const male = probabilities[0] as number;
  return male > 0.5 ? { value: 'male', confidence: male } : { value: 'female', confidence: 1 - male };
}
