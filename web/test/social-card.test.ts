import face from '../gatsby/after-build/card/face.json';
import { projectFace } from '../src/components/drawings/project-face';

// The build cannot run TypeScript, so it has the lines in a file: what this expects is what belongs there.
test('the face of the cards is the one of the drawings', () => {
  const { mesh, features, landmarks, irises } = projectFace(face.pose);
  expect(face).toEqual({ pose: face.pose, mesh, features, landmarks, irises });
});
