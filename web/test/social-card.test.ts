import face from '../gatsby/after-build/card/face.json';
import { projectFace } from '../src/components/drawings/project-face';

// The build cannot run TypeScript, so it reads the lines from a file, which must match the expectation.
test('social cards have the face of the drawings', () => {
  const { mesh, features, landmarks, irises } = projectFace(face.pose);
  expect(face).toEqual({ pose: face.pose, mesh, features, landmarks, irises });
});
