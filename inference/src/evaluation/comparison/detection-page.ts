/** Renders a report of detection as one HTML page without scripts or external resources. */
import { draws } from '../../calibration/intervals';
import { dayOf, escapeHtml, number, pageOf, rateCell, table } from '../report/page-parts';
import type { DetectionReport } from './detection';
import { minPeople } from './rates';

export function renderDetection(report: DetectionReport): string {
  const { createdAt, set, images, overall, falseBoxes, unreadable, ignored, columns } = report;
  return pageOf(
    'Faces found and missed',
    `<p class="lead">${escapeHtml(set)}: ${number(images)} images with ${number(overall.faces)} faces, ${dayOf(createdAt)}.</p>
<section>
<h2>All images</h2>
${table({
  label: 'Missed faces and false boxes',
  head: ['Fault', 'Count', 'Rate'],
  rows: [
    { head: 'Missed faces', cells: [number(overall.faces - overall.detected), rateCell(overall.missed)] },
    { head: 'Boxes without a face', cells: [number(falseBoxes.wrong), rateCell(falseBoxes.rate)] },
  ],
})}
<p>The service returned ${number(falseBoxes.boxes)} boxes. It rejected ${number(unreadable)} images. ${number(ignored)} annotated faces count neither way.</p>
</section>
${columns.map(columnSection).join('\n')}
${readingSection(report)}`,
  );
}

function columnSection({ name, groups }: DetectionReport['columns'][number]): string {
  const end = Math.max(...groups.map(({ missed }) => missed?.interval[1] ?? 0));
  return `<section>
<h2>By ${escapeHtml(name)}</h2>
${table({
  label: `Missed faces by ${escapeHtml(name)}`,
  head: [escapeHtml(name), 'Faces', 'Found', 'Missed'],
  rows: groups.map(({ group, faces, detected, missed }) => ({
    head: escapeHtml(group),
    cells: [number(faces), number(detected), rateCell(missed, end)],
  })),
})}
</section>`;
}

function readingSection({ minOverlap, maxFaces, system }: DetectionReport): string {
  return `<section>
<h2>How to read this</h2>
<ul>
<li>These rates are no average precision (AP), the figure by which papers compare detectors on this set. A service has one threshold, so it has one rate of missed faces and one of boxes without a face.</li>
<li>A box shows an annotated face if their intersection over union is at least ${minOverlap}. Each face counts for one box.</li>
<li>The service returns ${maxFaces} faces of an image at most, and some images show more.</li>
<li>Faces that the annotation calls invalid, and the smallest ones, count neither way.</li>
<li>Brackets hold 95 % intervals, from drawing the images anew ${draws} times. “Too few to say” means fewer than ${minPeople} images.</li>
</ul>
<h2>What was measured</h2>
<p>${escapeHtml(system.models.join(', '))}, ${system.precision}.</p>
</section>`;
}
