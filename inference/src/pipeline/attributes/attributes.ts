/** The requested attributes of faces. A model runs only for the faces whose attributes need it. */
import { exampleOf, type Model } from '../../backends/backend';
import type { AttributeName, FaceAttributes } from '../../wire/faces';
import type { FaceInImage } from '../faces/embed';
import { runOnFaces } from '../faces/face-crops';
import { type AccessoryProbes, accessoriesOf } from './accessories';
import { ageRangeOf, genderOf } from './age-gender';
import { emotionsOf } from './emotions';
import { landmarksOf } from './landmarks';
import { poseOf } from './pose';

export const attributeNames: readonly AttributeName[] = [
  'landmarks',
  'pose',
  'emotions',
  'ageRange',
  'gender',
  'accessories',
];

export interface AttributeModels {
  readonly expression: Model;
  readonly ageGender: Model;
  readonly description: Model;
}

export interface RequestedFace extends FaceInImage {
  readonly attributes: readonly AttributeName[];
}

/** Sides of the crops as multiples of the mesh's. The description model was trained on heads, the others on faces. */
export const cropFactors = { expression: 1.15, ageGender: 1.05, description: 1.5 };

/** @returns the requested attributes of each face, in the order of `attributeNames` */
export async function attributesOf(
  models: AttributeModels,
  probes: AccessoryProbes,
  faces: readonly RequestedFace[],
): Promise<FaceAttributes[]> {
  const run = async (role: keyof AttributeModels, ...needs: readonly AttributeName[]): Promise<Rows> => {
    const chosen = faces.filter(({ attributes }) => needs.some((name) => attributes.includes(name)));
    if (chosen.length === 0) return () => new Float32Array();
    const outputs = await runOnFaces(models[role], chosen, cropFactors[role]);
    return (face, output) => exampleOf(outputs[output], chosen.indexOf(face), chosen.length);
  };
  const expression = await run('expression', 'emotions');
  const ageGender = await run('ageGender', 'ageRange', 'gender');
  const description = await run('description', 'accessories');
  const readers: { readonly [Name in AttributeName]-?: (face: RequestedFace) => FaceAttributes[Name] } = {
    landmarks: ({ face, image }) => landmarksOf(face.mesh, image),
    pose: ({ face }) => poseOf(face.mesh),
    emotions: (face) => emotionsOf(expression(face, 'probabilities'), face.face.mesh),
    ageRange: (face) => ageRangeOf(ageGender(face, 'age')[0] as number),
    gender: (face) => genderOf(ageGender(face, 'gender')),
    accessories: (face) => accessoriesOf(description(face, 'embedding'), probes),
  };
  return faces.map((face) =>
    Object.fromEntries(
      attributeNames
        .filter((name) => face.attributes.includes(name))
        .map((name) => [name, readers[name](face)]),
    ),
  );
}

/** The values of one face in an output of a model. */
type Rows = (face: RequestedFace, output: string) => Float32Array;
