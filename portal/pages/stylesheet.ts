import { createHash } from 'node:crypto';

/** Colours are named by what they mean; every pair of text and ground that is used has a contrast of 4.5 or more. */
const tokens = `
:root {
  color-scheme: light dark;
  --ground: #f4f6f8; --surface: #ffffff; --sunken: #eef1f5;
  --text: #18212e; --quiet: #515d6e; --line: #d3dae3; --line-strong: #77849a;
  --accent: #0b5d74; --accent-strong: #08465a; --on-accent: #ffffff; --accent-soft: #e1f0f4;
  --good: #17633a; --good-soft: #e0f3e7; --warn: #7a4a00; --warn-soft: #fdf0d5;
  --bad: #a3231b; --bad-strong: #841a14; --bad-soft: #fdeae8; --on-bad: #ffffff;
  --space-1: .25rem; --space-2: .5rem; --space-3: .75rem; --space-4: 1rem; --space-5: 1.5rem; --space-6: 2.5rem;
  --radius: .5rem;
  --mono: ui-monospace, 'Cascadia Mono', 'SF Mono', Menlo, Consolas, 'Liberation Mono', monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #10151b; --surface: #182029; --sunken: #121920;
    --text: #e7ecf2; --quiet: #a5b1c0; --line: #2f3a47; --line-strong: #7d8b9d;
    --accent: #74c9de; --accent-strong: #a2dcea; --on-accent: #06222b; --accent-soft: #12323c;
    --good: #86d8a5; --good-soft: #14301f; --warn: #f2c46b; --warn-soft: #37290c;
    --bad: #ff9d94; --bad-strong: #ffc0ba; --bad-soft: #3d1a18; --on-bad: #35100c;
  }
}`;

const ground = `
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; background: var(--ground); color: var(--text);
  font: 1rem/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif; }
h1, h2, h3 { line-height: 1.25; text-wrap: balance; margin: 0; font-weight: 650; letter-spacing: -.01em; }
h1 { font-size: 1.75rem; } h2 { font-size: 1.2rem; } h3 { font-size: 1rem; }
p, ul, ol, dl { margin: 0; }
a { color: var(--accent); text-underline-offset: .15em; }
a:hover { color: var(--accent-strong); text-decoration-thickness: 2px; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
code, .mono { font-family: var(--mono); font-size: .9em; overflow-wrap: anywhere; }
.quiet { color: var(--quiet); }
.small { font-size: .875rem; }
.hidden-visually { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: var(--space-4); top: -4rem; padding: var(--space-2) var(--space-4); background: var(--surface); z-index: 1; }
.skip:focus { top: var(--space-2); }`;

const layout = `
.top { background: var(--surface); border-bottom: 1px solid var(--line); }
.top-row, main, .foot { width: 100%; max-width: 60rem; margin-inline: auto; padding-inline: var(--space-4); }
.wide .top-row, .wide main, .wide .foot { max-width: 80rem; }
.top-row { display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-2) var(--space-5); padding-block: var(--space-3); }
.brand { display: inline-flex; align-items: center; gap: var(--space-2); color: var(--text); font-weight: 650; text-decoration: none; }
.brand svg { color: var(--accent); flex: none; }
.brand .quiet { font-weight: 400; }
.nav ul { display: flex; flex-wrap: wrap; gap: var(--space-1) var(--space-4); list-style: none; padding: 0; }
.nav a { display: block; padding-block: var(--space-1); text-decoration: none; border-bottom: 2px solid transparent; }
.nav a:hover { border-bottom-color: var(--line-strong); }
.nav a[aria-current] { color: var(--text); font-weight: 600; border-bottom-color: var(--accent); }
.who { margin-left: auto; display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-2) var(--space-3); min-width: 0; }
.who span { overflow-wrap: anywhere; }
main { flex: 1; padding-block: var(--space-6); display: flex; flex-direction: column; gap: var(--space-5); }
main:focus { outline: none; }
.narrow { width: 100%; max-width: 30rem; margin-inline: auto; }
.stack { display: flex; flex-direction: column; gap: var(--space-4); }
.stack > * { min-width: 0; }
.row { display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-3); }
.row.apart { justify-content: space-between; }
.cards { display: grid; gap: var(--space-4); grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr)); list-style: none; padding: 0; }
.card { background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); padding: var(--space-5);
  display: flex; flex-direction: column; gap: var(--space-4); min-width: 0; }
.foot { padding-block: var(--space-4); color: var(--quiet); font-size: .875rem; }
@media (max-width: 40rem) {
  main { padding-block: var(--space-5); }
  .card { padding: var(--space-4); }
  .who { margin-left: 0; width: 100%; justify-content: space-between; }
  h1 { font-size: 1.5rem; }
}`;

const pieces = `
.facts { display: grid; grid-template-columns: minmax(7rem, max-content) 1fr; gap: var(--space-2) var(--space-5); }
.facts dt { color: var(--quiet); } .facts dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
@media (max-width: 40rem) { .facts { grid-template-columns: 1fr; gap: 0; } .facts dd { margin-bottom: var(--space-3); } .facts dd:last-child { margin-bottom: 0; } }
.badge { display: inline-flex; align-items: center; gap: .4em; padding: .1rem .6rem; border-radius: 1rem; font-size: .875rem; font-weight: 600;
  background: var(--sunken); color: var(--text); white-space: nowrap; }
.badge::before { content: ''; width: .5em; height: .5em; border-radius: 50%; background: currentColor; }
.badge.good { background: var(--good-soft); color: var(--good); }
.badge.warn { background: var(--warn-soft); color: var(--warn); }
.badge.bad { background: var(--bad-soft); color: var(--bad); }
.notice { border: 1px solid var(--line); border-left: 4px solid var(--accent); border-radius: var(--radius); background: var(--accent-soft);
  padding: var(--space-3) var(--space-4); display: flex; flex-direction: column; gap: var(--space-2); }
.notice.good { border-left-color: var(--good); background: var(--good-soft); }
.notice.warn { border-left-color: var(--warn); background: var(--warn-soft); }
.notice.bad { border-left-color: var(--bad); background: var(--bad-soft); }
.notice ul { padding-left: 1.2rem; } .notice.bad a { color: var(--bad-strong); }
.table-scroll { position: relative; overflow-x: auto; border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: left; padding: var(--space-3) var(--space-4); color: var(--quiet); }
th, td { text-align: left; padding: var(--space-2) var(--space-4); vertical-align: top; }
td code { overflow-wrap: normal; }
th { font-size: .875rem; font-weight: 600; color: var(--quiet); background: var(--sunken); white-space: nowrap; }
ul.shown-once { list-style: none; }
.unbroken { white-space: nowrap; }
tbody tr { border-top: 1px solid var(--line); }
.shown-once { font-family: var(--mono); font-size: clamp(.9rem, 4vw, 1.15rem); padding: var(--space-4); border: 2px dashed var(--line-strong); border-radius: var(--radius);
  background: var(--sunken); overflow-wrap: anywhere; user-select: all; }
.timeline { list-style: none; padding: 0; display: flex; flex-direction: column; }
.timeline li { display: grid; grid-template-columns: max-content 1fr; gap: 0 var(--space-5); padding-block: var(--space-2); border-top: 1px solid var(--line); }
.timeline li:first-child { border-top: 0; } .timeline time { color: var(--quiet); min-width: 11.5rem; }
@media (max-width: 40rem) { .timeline li { grid-template-columns: 1fr; } .timeline time { font-size: .875rem; } }`;

const forms = `
form { display: flex; flex-direction: column; gap: var(--space-4); margin: 0; align-items: flex-start; }
form.inline { flex-direction: row; flex-wrap: wrap; align-items: end; }
.field { display: flex; flex-direction: column; gap: var(--space-1); width: 100%; max-width: 40rem; }
form.inline .field { width: auto; flex: 1 1 12rem; }
label, legend { font-weight: 600; }
.hint { color: var(--quiet); font-size: .9rem; }
.fault { color: var(--bad); font-weight: 600; }
input:not([type=checkbox], [type=radio]), select, textarea { font: inherit; color: inherit; width: 100%; padding: .55rem .7rem; border: 1px solid var(--line-strong);
  border-radius: calc(var(--radius) - 2px); background: var(--surface); }
input.mono, textarea.mono { font-family: var(--mono); font-size: .9rem; }
input.code { font-family: var(--mono); font-size: 1.4rem; letter-spacing: .25em; max-width: 14rem; }
[aria-invalid=true] { border: 2px solid var(--bad) !important; }
.choice { display: flex; align-items: baseline; gap: var(--space-2); } .choice label { font-weight: 400; }
fieldset { border: 1px solid var(--line); border-radius: var(--radius); padding: var(--space-3) var(--space-4); width: 100%; }
.button { display: inline-block; font: inherit; font-weight: 600; padding: .55rem 1.1rem; border-radius: calc(var(--radius) - 2px); border: 1px solid var(--accent);
  background: var(--accent); color: var(--on-accent); cursor: pointer; text-decoration: none; }
.button:hover { background: var(--accent-strong); border-color: var(--accent-strong); color: var(--on-accent); }
.button.secondary { background: transparent; color: var(--accent); border-color: var(--line-strong); }
.button.secondary:hover { background: var(--accent-soft); color: var(--accent-strong); }
.button.danger { background: var(--bad); border-color: var(--bad); color: var(--on-bad); }
.button.danger:hover { background: var(--bad-strong); border-color: var(--bad-strong); }
.button.small { white-space: nowrap; padding: .3rem .75rem; font-size: .9rem; }
@media (forced-colors: active) { .badge, .button, .notice { border: 1px solid; } }
@media (prefers-reduced-motion: no-preference) { .button, .nav a { transition: background-color .12s, border-color .12s; } }`;

const plots = `
.plot { display: block; width: 100%; height: auto; color: var(--quiet); font-size: 11px; }
.plot .renewed { fill: var(--accent); } .plot .refused { fill: var(--bad); } .plot .limited { fill: var(--warn); }
@media (max-width: 40rem) { .plot { font-size: 24px; } }
.plot .grid { stroke: var(--line); } .key-of-plot { display: flex; flex-wrap: wrap; gap: var(--space-2) var(--space-4); list-style: none; padding: 0; }
ul.choices { display: flex; flex-wrap: wrap; gap: var(--space-2) var(--space-4); list-style: none; padding: 0; }
.choices a[aria-current] { color: var(--text); font-weight: 600; }
.key-of-plot svg.plot { display: inline-block; font-size: inherit; width: .8em; height: .8em; vertical-align: baseline; margin-right: .4em; }
.figures { display: grid; gap: var(--space-4); grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); margin: 0; }
.figures > div { background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); padding: var(--space-3) var(--space-4); display: flex; flex-direction: column; }
.figures dt { color: var(--quiet); font-size: .875rem; order: 2; } .figures dd { margin: 0; font-size: 1.6rem; font-weight: 650; font-variant-numeric: tabular-nums; }
`;

/** The one stylesheet of all pages. */
export const stylesheet = [tokens, ground, layout, pieces, forms, plots].join('\n');

/** Changes with the content, so that browsers may keep what they got by it for ever. */
export const stylesheetVersion = createHash('sha256').update(stylesheet).digest('hex').slice(0, 12);
export const stylesheetPath = `/assets/portal.css?v=${stylesheetVersion}`;
