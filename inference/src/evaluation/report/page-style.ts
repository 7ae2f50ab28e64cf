/** The style of the page: light, dark and print. */
export const pageStyle = `
:root {
  --ink: #1b1d22; --soft: #565b66; --line: #c9ccd3; --paper: #fff; --accent: #1d56c4; --pale: #a9c3f5;
  color-scheme: light dark;
}
@media (prefers-color-scheme: dark) {
  :root { --ink: #eceef2; --soft: #a9afbb; --line: #454a55; --paper: #16181d; --accent: #8fb5ff; --pale: #35528d; }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif;
}
main { max-width: 72rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
h1 { margin: 0; font-size: 2rem; line-height: 1.2; }
h2 { margin: 3rem 0 1rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: 1.375rem; overflow-wrap: anywhere; }
h3 { margin: 1.5rem 0 .5rem; font-size: 1rem; }
p, li, dd { max-width: 44rem; }
li { margin-bottom: .375rem; }
.lead { margin-top: .5rem; font-size: 1.125rem; color: var(--soft); }
.scroll { margin: 1.25rem 0; overflow-x: auto; }
.scroll:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { padding-bottom: .5rem; text-align: left; font-weight: 600; }
th, td { padding: .5rem 1.5rem .5rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
thead th { color: var(--soft); font-size: .875rem; font-weight: 600; }
tbody th { min-width: 7rem; max-width: 16rem; font-weight: 600; overflow-wrap: break-word; }
td { white-space: nowrap; }
.interval { color: var(--soft); }
.few { color: var(--soft); font-style: italic; }
.bar { display: block; width: 9rem; margin-top: .25rem; }
.bar path { stroke: var(--line); }
.bar rect { fill: var(--pale); }
.bar circle { fill: var(--accent); }
dt { margin-top: .75rem; font-weight: 600; }
dd { margin: 0; overflow-wrap: anywhere; }
@media print {
  :root { --ink: #000; --soft: #444; --line: #999; --paper: #fff; --accent: #1d56c4; --pale: #a9c3f5; }
  main { max-width: none; padding: 0; }
  body { font-size: 10pt; }
  table, thead th { font-size: 8pt; }
  .scroll { overflow: visible; }
  .bar { width: 5rem; }
  th, td { padding-right: .75rem; white-space: normal; }
  tr, dd, li { break-inside: avoid; }
  h2, h3, caption { break-after: avoid; }
  .bar { print-color-adjust: exact; }
}
`;
