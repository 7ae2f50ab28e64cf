import { execFileSync } from 'node:child_process';
import { languages, type SampleRequest, sampleOf } from './samples';

const detect: SampleRequest = {
  apiUrl: 'https://api.example',
  operation: 'detect',
  images: [['image', 'photo.jpg']],
  fields: [['attributes', ['landmarks', 'ageRange']]],
};
const compare: SampleRequest = {
  apiUrl: 'https://api.example',
  operation: 'compare',
  images: [
    ['sourceImage', 'passport.jpg'],
    ['targetImage', 'selfie.jpg'],
  ],
  fields: [['similarityThreshold', 1]],
};

test('curl sends a form with the key from the environment', () => {
  expect(sampleOf('curl', detect)).toBe(`curl -sS --fail-with-body https://api.example/detect \\
  -H "Authorization: Bearer $API_KEY" \\
  -F image=@photo.jpg \\
  -F attributes=landmarks,ageRange
`);
});

test.each(['it\'s; a, "photo" $(x).jpg', 'a b.png', '\\.webp'])(
  'the shell passes the file %s to curl',
  (name) => {
    const code = sampleOf('curl', { ...detect, images: [['image', name]] });
    const shell = `curl() { printf '%s\\n' "$@"; }\n${code}`;
    const texts = execFileSync('bash', ['-c', shell], { encoding: 'utf8' }).split('\n');
    const file = texts.find((word) => word.startsWith('image=@'))?.slice('image=@'.length) ?? '';
    expect(file.replace(/^"|"$/g, '').replace(/\\(.)/g, '$1')).toBe(name);
  },
);

test.each([
  ['typescript', 'attributes: ["landmarks", "ageRange"],', 'similarityThreshold: 1,'],
  ['python', 'attributes=["landmarks", "ageRange"],', 'similarity_threshold=1,'],
  ['go', 'Attributes: []presenza.FaceAttributeName{"landmarks", "ageRange"},', 'threshold := 1.0'],
  [
    'java',
    '.attributes(Set.of(FaceAttributeName.LANDMARKS, FaceAttributeName.AGE_RANGE))',
    '.similarityThreshold(1.0)',
  ],
] as const)('%s names the options as its client library does', (language, attributes, threshold) => {
  expect(sampleOf(language, detect)).toContain(attributes);
  expect(sampleOf(language, compare)).toContain(threshold);
});

test.each(languages.map(([language]) => language))('%s reads the key from the environment', (language) => {
  expect(sampleOf(language, compare)).toContain('API_KEY');
});
