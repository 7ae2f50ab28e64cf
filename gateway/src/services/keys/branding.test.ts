import { brandingOf, checkBranding, contrast } from './branding';

test.each([
  // Known responses of WCAG 2: black on white, and a grey just below 4.5 to 1.
  ['#000000', '#ffffff', 21],
  ['#ffffff', '#ffffff', 1],
  ['#777777', '#ffffff', 4.48],
  ['#0000ff', '#ffffff', 8.59],
])('the contrast of %s and %s is %d', (color, other, ratio) => {
  expect(contrast(color, other)).toBeCloseTo(ratio, 2);
  expect(contrast(other, color)).toBe(contrast(color, other));
});

test('colors must be reported apart, against white unless a background is given', () => {
  const branding = (accent: string, background?: string) => ({
    name: 'Example',
    colors: { accent, ...(background && { background }) },
  });
  expect(() => checkBranding(branding('#767676'), 'growth')).not.toThrow();
  expect(() => checkBranding(branding('#777777'), 'growth')).toThrow(/4\.48 to 1/);
  expect(() => checkBranding(branding('#ffff00'), 'growth')).toThrow();
  expect(() => checkBranding(branding('#ffff00', '#000000'), 'growth')).not.toThrow();
});

test('only plans that include branding have one, also after a change of plan', () => {
  const branding = { name: 'Example' };
  for (const plan of ['free', 'basic']) expect(() => checkBranding(branding, plan)).toThrow(plan);
  expect(brandingOf({ plan: 'business', branding })).toEqual(branding);
  expect(brandingOf({ plan: 'basic', branding })).toBeUndefined();
  expect(brandingOf({ plan: 'business' })).toBeUndefined();
});
