/** The error of the apparent age and sex of POST /detect, by the age and the sex of the people in the photos. */
import { detectJob, mapConcurrently } from '../lib/client.mjs';
import { atLeastOf, atMost } from '../lib/figures.mjs';
import { evenly } from '../lib/material.mjs';
import { figure, percent } from '../lib/report.mjs';
import { clopperPearson, mean, meanInterval } from '../lib/stats.mjs';
import { withTier } from '../lib/tier.mjs';
import { fairFace, publicFigures } from './labeled-ages.mjs';
import { nearestToCenter } from './matching.mjs';

/** Half the width of a returned range in years: a larger mean error makes the range misleading. */
const MOST_ERROR = 7;
/** The least share of ages that the returned range should hold, in percent. The contract says two in three. */
const LEAST_INSIDE = 66;
const LEAST_SEX = 95;
/** The age in years from which people judge the sex of a face better than by chance. */
const YOUNGEST_SEXED = 10;

/** @typedef {import('./labeled-ages.mjs').Labeled} Labeled */
/** Years that the estimate is above the label, and whether the range meets the label. @typedef {{ error: number, isInside: boolean, sex: string }} Seen */
/** @typedef {Pick<Labeled, 'group' | 'from' | 'sex'> & { seen?: Seen }} Row without `seen`, no face was found */

/** @type {import('../lib/types').Measurement} */
export const ages = {
  name: 'accuracy/ages',
  question:
    'How far off are the age and the sex that POST /detect estimates, by the age and sex of the person?',
  conditions: { concurrency: 4, photos: 0 },
  quick: { photos: 120 },

  async run({ concurrency, photos: limit }, log) {
    const sets = { figures: publicFigures(), fairFace: fairFace() };
    return withTier(async ({ client }) => {
      const taken = {};
      for (const [name, photos] of Object.entries(sets)) {
        const chosen = limit > 0 ? evenly(photos, limit) : photos;
        taken[name] = await mapConcurrently(chosen, concurrency, (photo) => measurePhoto(client, photo));
        log(`${name}: ${seenIn(taken[name]).length} of ${chosen.length} faces found`);
      }
      return taken;
    });
  },

  summarize({ figures, fairFace: labeled }) {
    const adults = labeled.filter(({ from }) => from >= YOUNGEST_SEXED);
    return {
      figures: [
        insideFigure(figures),
        errorFigure('Mean error of the age, public figures of LFW', figures),
        ...byGroup(figures).map(({ group, rows }) =>
          errorFigure(`Mean error of the age, public figures of LFW, ${group}`, rows),
        ),
        ...byGroup(labeled).map(({ group, rows }) =>
          errorFigure(`Mean distance from the labeled ages, FairFace, ${group}`, rows),
        ),
        ...['female', 'male'].map((sex) => sexFigure(sex, adults)),
      ],
      tables: [
        {
          ...tableOf(byGroup(figures)),
          title: 'Public figures of LFW, by age',
          remark:
            'One photo each, with the age in 2003, when most photos of LFW were taken. Error: the middle of the range minus the age; above 0, the estimate is too old.',
        },
        {
          ...tableOf([...byGroup(labeled), ...bySex(labeled)]),
          title: 'FairFace, by the age and sex that people see in the photo',
          remark:
            'Thirty photos for each age group and sex. Error: the distance of the middle of the range from the age group, so the real errors are larger. Inside: the range and the age group meet.',
        },
        {
          title: 'FairFace, sex',
          columns: 'Age group | Faces found | Women as labeled | Men as labeled',
          rows: byGroup(labeled).map(({ group, rows }) => [
            group,
            seenIn(rows).length,
            ...['female', 'male'].map((sex) => {
              const seen = seenIn(rows.filter((row) => row.sex === sex));
              return `${seen.filter((row) => row.sex === sex).length} of ${seen.length}`;
            }),
          ]),
        },
      ],
      data: { publicFigures: biasOf(byGroup(figures)), fairFace: biasOf(byGroup(labeled)) },
    };
  },
};

/** @param {import('../lib/client.mjs').Client} client @param {Labeled} photo @returns {Promise<Row>} */
async function measurePhoto(client, { read, group, from, to, sex }) {
  const { reply } = await client.request(detectJob(read(), 'ageRange,gender'));
  const face = nearestToCenter(reply.faces, ({ boundingBox }) => boundingBox);
  if (!face) return { group, from, sex };
  const { ageRange, gender } = face.attributes;
  const seen = {
    error: distanceFrom((ageRange.low + ageRange.high) / 2, from, to),
    isInside: ageRange.low <= to && ageRange.high >= from,
    sex: gender.value,
  };
  return { group, from, sex, seen };
}

/** How far an estimate is above or below the ages of a label; 0 inside. @param {number} age @param {number} from @param {number} to */
export const distanceFrom = (age, from, to) => Math.min(0, age - from) + Math.max(0, age - to);

/** @param {readonly Row[]} rows @returns {Seen[]} */
const seenIn = (rows) => rows.flatMap(({ seen }) => (seen ? [seen] : []));

/** @param {readonly Row[]} rows */
const byGroup = (rows) =>
  [...rows]
    .sort((a, b) => a.from - b.from)
    .reduce(
      (groups, row) => {
        const known = groups.find(({ group }) => group === row.group);
        if (known) known.rows.push(row);
        else groups.push({ group: row.group, rows: [row] });
        return groups;
      },
      /** @type {{ group: string, rows: Row[] }[]} */ ([]),
    );

/** @param {readonly Row[]} rows */
const bySex = (rows) =>
  ['female', 'male'].map((sex) => ({ group: sex, rows: rows.filter((row) => row.sex === sex) }));

/** @param {readonly { group: string, rows: Row[] }[]} groups */
const tableOf = (groups) => ({
  columns: 'Group | Photos | Faces found | Mean error, years | Error with its sign, 95 % | Inside the range',
  rows: groups.map(({ group, rows }) => {
    const seen = seenIn(rows);
    const inside = seen.filter(({ isInside }) => isInside).length;
    const signed = meanInterval(seen.map(({ error }) => error));
    return [
      group,
      rows.length,
      seen.length,
      Number(mean(seen.map(({ error }) => Math.abs(error))).toFixed(1)),
      `${years(signed.mean)} (${signed.interval.map(years).join(' to ')})`,
      `${percent(inside / seen.length)} (${clopperPearson(inside, seen.length).map(percent).join(' to ')})`,
    ];
  }),
});

/** @param {number} value */
const years = (value) => `${value > 0 ? '+' : ''}${figure(Number(value.toFixed(1)))}`;

/** Mean errors with their sign, by group, for the pages. @param {readonly { group: string, rows: Row[] }[]} groups */
const biasOf = (groups) =>
  Object.fromEntries(
    groups.map(({ group, rows }) => [group, Number(mean(seenIn(rows).map(({ error }) => error)).toFixed(1))]),
  );

/** @param {string} name @param {readonly Row[]} rows */
function errorFigure(name, rows) {
  const seen = seenIn(rows);
  const { mean: value, interval } = meanInterval(seen.map(({ error }) => Math.abs(error)));
  return atMost(name, value, 'years', MOST_ERROR, { n: seen.length, items: 'faces', interval });
}

/** @param {readonly Row[]} rows */
function insideFigure(rows) {
  const seen = seenIn(rows);
  const hits = seen.filter(({ isInside }) => isInside).length;
  const name = 'Age inside the returned range, public figures of LFW';
  return atLeastOf(name, hits, seen.length, 'faces', LEAST_INSIDE);
}

/** @param {string} sex @param {readonly Row[]} rows */
function sexFigure(sex, rows) {
  const seen = seenIn(rows.filter((row) => row.sex === sex));
  const hits = seen.filter((row) => row.sex === sex).length;
  const name = `Sex as labeled, FairFace, ${sex}, from ${YOUNGEST_SEXED} years on`;
  return atLeastOf(name, hits, seen.length, 'faces', LEAST_SEX);
}
