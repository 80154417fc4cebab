import { createHash } from 'node:crypto';
import { tokenStyles } from './design-tokens.ts';
import { fontStyles } from './fonts.ts';

/** Styles of charts, figures, QR codes, and forms that show the fields a choice needs. */
const dataStyles = `
td { overflow-wrap: break-word; }
th.figure, td.figure { text-align: right; white-space: nowrap; }
.wide .nav { order: 1; flex-basis: 100%; }
.wide .nav ul { margin-inline: -.75rem; }
form.inline .field:has(select) { flex: 0 1 12rem; }
figure { margin: 0; }
input[type=date].short { max-width: 14rem; }
fieldset { display: flex; flex-direction: column; gap: .5rem; min-width: 0; max-width: 42rem; }
fieldset.without-plan { gap: 1rem; }
form:has(.plan-choice option:not([value='-']):checked) .hidden-by-plan { display: none; }
.qr { display: block; width: min(100%, 14rem); height: auto; background: #fff; border-radius: var(--radius); padding: .5rem; }
.plot .tone-main { fill: var(--accent); } .plot .tone-good { fill: var(--tone-ok); }
.plot .tone-warn { fill: var(--tone-warn); } .plot .tone-bad { fill: var(--tone-bad); }
.plot .axis { stroke: var(--line-strong); }
.charts { display: grid; gap: 2rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 28rem), 1fr)); }
.charts > * { min-width: 0; }
.charts .figures { grid-template-columns: repeat(auto-fit, minmax(min(100%, 13rem), max-content)); }
.acts { list-style: none; padding: 0; display: flex; flex-direction: column; gap: .75rem; }
.acts li { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .5rem 1.5rem; }
.acts p { flex: 1 1 18rem; min-width: 0; max-width: 48rem; }
.button.danger-quiet { background: var(--surface-card); color: var(--tone-bad); border-color: var(--tone-bad); }
.button.danger-quiet:hover { background: var(--tone-bad-soft); }
.pair { display: grid; gap: 1.5rem 2rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); align-items: start; width: 100%; }
.pair > * { min-width: 0; }
`;

const ground = `
:root { --sans: 'Inter Variable', system-ui, sans-serif; --mono: 'JetBrains Mono Variable', ui-monospace, monospace; --radius: .5rem; }
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; background: var(--surface-page); }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; background: var(--surface-page); color: var(--text);
  font: .875rem/1.5 var(--sans); overflow-wrap: anywhere; }
h1, h2, h3 { line-height: 1.4; text-wrap: balance; margin: 0; font-weight: 600; }
h1 { font-size: 1.25rem; letter-spacing: -.01em; } h2 { font-size: .875rem; } h3 { font-size: .8125rem; }
p, ul, ol, dl { margin: 0; }
a { color: var(--accent); text-underline-offset: .2em; text-decoration-thickness: 1px; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
code, .mono { font-family: var(--mono); font-size: .9286em; overflow-wrap: anywhere; }
.quiet { color: var(--text-quiet); }
.small { font-size: .8125rem; }
.prose { max-width: 42rem; }
.hidden-visually { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: 1rem; top: -4rem; padding: .5rem 1rem; background: var(--surface-card); border: 1px solid var(--line-strong); border-radius: var(--radius); z-index: 1; }
.skip:focus { top: .5rem; }`;

const layout = `
.top { background: var(--surface-card); border-bottom: 1px solid var(--line); }
.top-row, main, .foot { width: 100%; max-width: calc(var(--content-width) + 2rem); margin-inline: auto; padding-inline: 1rem; }
.top-row { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1.5rem; padding-block: .75rem; min-height: 3.5rem; }
.brand { display: inline-flex; align-items: center; gap: .5rem; color: var(--text); font-size: 1rem; font-weight: 600; text-decoration: none; }
.mark { flex: none; } .mark rect { fill: var(--accent); } .mark path { fill: var(--surface-card); }
.brand .quiet { font-size: .875rem; font-weight: 400; padding-left: .5rem; border-left: 1px solid var(--line-strong); line-height: 1; }
.nav ul { display: flex; flex-wrap: wrap; gap: .25rem; list-style: none; padding: 0; }
.nav a { display: block; padding: .375rem .75rem; text-decoration: none; border-radius: .375rem; color: var(--text-quiet); font-weight: 500; }
.nav a:hover { background: var(--surface-raised); color: var(--text); }
.nav a[aria-current] { color: var(--accent); background: var(--accent-soft); }
.who { margin-left: auto; display: flex; flex-wrap: wrap; align-items: center; gap: .5rem .75rem; min-width: 0; }
main { flex: 1; padding-block: 1.5rem 2rem; display: flex; flex-direction: column; gap: 1.5rem; }
main:focus { outline: none; }
.head { display: flex; flex-direction: column; gap: .25rem; }
.head > .row { min-height: 2.25rem; }
.back { align-self: flex-start; text-decoration: none; color: var(--text-quiet); }
.back:hover { color: var(--text); text-decoration: underline; }
.narrow { width: 100%; max-width: 26rem; margin-inline: auto; padding-top: 2rem; }
.stack { display: flex; flex-direction: column; gap: 1rem; }
.stack > * { min-width: 0; }
.row { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem .75rem; min-width: 0; }
.row.apart { justify-content: space-between; }
.actions { gap: .5rem; }
.beside { display: grid; gap: 2rem; grid-template: auto 1fr / minmax(0, 2fr) minmax(0, 1fr); align-items: start; }
.beside > :nth-child(2) { grid-area: 1 / 2 / span 2; }
.section { display: flex; flex-direction: column; gap: .75rem; min-width: 0; }
.section > h2 { padding-bottom: .5rem; border-bottom: 1px solid var(--line); }
.cards { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr)); list-style: none; padding: 0; }
.card { background: var(--surface-card); border: 1px solid var(--line); border-radius: var(--radius); padding: 1.5rem;
  display: flex; flex-direction: column; gap: 1rem; min-width: 0; }
.foot { padding-block: 1rem; color: var(--text-quiet); font-size: .8125rem; display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: center; justify-content: space-between; }
@media (max-width: 45rem) {
  main { padding-block: 1rem 1.5rem; }
  .beside { grid-template: auto / minmax(0, 1fr); gap: 1.5rem; } .beside > :nth-child(2) { grid-area: auto; }
  .card { padding: 1rem; }
  .narrow { padding-top: .5rem; }
  .who { margin-left: 0; width: 100%; justify-content: space-between; }
}`;

const pieces = `
.facts { display: grid; grid-template-columns: minmax(6rem, max-content) minmax(0, 1fr); gap: .5rem 1.5rem; }
.facts dt { color: var(--text-quiet); } .facts dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
@media (max-width: 45rem) { .facts { grid-template-columns: minmax(0, 1fr); gap: 0; } .facts dd { margin-bottom: .75rem; } .facts dd:last-child { margin-bottom: 0; } }
.badge { display: inline-flex; align-items: center; gap: .375rem; padding: .0625rem .5rem; border-radius: .75rem; font-size: .75rem; font-weight: 500; line-height: 1.25rem;
  background: var(--tone-idle-soft); color: var(--text); white-space: nowrap; }
.badge::before { content: ''; flex: none; width: .5rem; height: .5rem; border-radius: 50%; background: currentColor; }
.badge.good { background: var(--tone-ok-soft); color: var(--tone-ok); }
.badge.warn { background: var(--tone-warn-soft); color: var(--tone-warn); }
.badge.bad { background: var(--tone-bad-soft); color: var(--tone-bad); }
.badge.warn::before { border-radius: 0; clip-path: polygon(50% 0, 100% 100%, 0 100%); }
.badge.bad::before { border-radius: 0; clip-path: polygon(50% 0, 100% 50%, 50% 100%, 0 50%); }
.notice { border-radius: var(--radius); background: var(--accent-soft); padding: .75rem 1rem; display: flex; flex-direction: column; gap: .5rem; min-width: 0; }
.notice > p { max-width: 48rem; }
.notice.good { background: var(--tone-ok-soft); } .notice.good h2, .notice.good h3 { color: var(--tone-ok); }
.notice.warn { background: var(--tone-warn-soft); } .notice.warn h2, .notice.warn h3 { color: var(--tone-warn); }
.notice.bad { background: var(--tone-bad-soft); } .notice.bad h2, .notice.bad h3, .notice.bad a { color: var(--tone-bad); }
.notice ul { padding-left: 1.25rem; }
.rows { list-style: none; padding: 0; border-top: 1px solid var(--line); }
.row-of-list { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr) minmax(0, 2.5fr) minmax(0, 2.5fr); gap: .25rem 1rem; align-items: center;
  position: relative; min-height: 2.75rem; padding-block: .75rem; border-bottom: 1px solid var(--line); }
.row-of-list h2 a { text-decoration: none; } .row-of-list h2 a::after { content: ''; position: absolute; inset: 0; }
.row-of-list:has(a):hover { background: var(--surface-raised); } .row-of-list:hover h2 a { text-decoration: underline; }
.row-of-list > :last-child { text-align: right; }
@media (max-width: 45rem) { .row-of-list { grid-template-columns: minmax(0, 1fr); } .row-of-list > :last-child { text-align: left; } .row-of-list > :empty { display: none; } }
.table-scroll { position: relative; overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: left; padding: 0 0 .5rem; font-weight: 600; }
th, td { text-align: left; padding: .625rem .75rem; vertical-align: top; }
th:first-child, td:first-child { padding-left: .25rem; } th:last-child, td:last-child { padding-right: .25rem; }
td code { overflow-wrap: normal; }
th { font-size: .75rem; font-weight: 500; color: var(--text-quiet); white-space: nowrap; overflow-wrap: normal; }
ul.shown-once { list-style: none; }
.unbroken { white-space: nowrap; }
tbody tr { border-top: 1px solid var(--line); }
tbody tr:last-child { border-bottom: 1px solid var(--line); }
.shown-once { max-width: 42rem; font-family: var(--mono); font-size: clamp(.875rem, 4vw, 1rem); padding: 1rem; border: 1px solid var(--line-strong); border-radius: var(--radius);
  background: var(--console); overflow-wrap: anywhere; user-select: all; }
.timeline { list-style: none; padding: .25rem 0 0; display: flex; flex-direction: column; }
.timeline li { position: relative; display: flex; flex-direction: column; padding: 0 0 1rem 1.5rem; }
.timeline li::before { content: ''; position: absolute; left: 0; top: .3125rem; width: .6875rem; height: .6875rem; border: 2px solid var(--text-quiet); border-radius: 50%; }
.timeline li:not(:last-child)::after { content: ''; position: absolute; left: .3125rem; top: 1.25rem; bottom: -.125rem; width: 1px; background: var(--line-strong); }
.timeline time { color: var(--text-quiet); font-size: .8125rem; }
.steps { padding-left: 1.25rem; display: flex; flex-direction: column; gap: .5rem; } .steps li::marker { color: var(--text-quiet); font-weight: 600; }`;

const forms = `
form { display: flex; flex-direction: column; gap: 1rem; margin: 0; align-items: flex-start; }
form.inline { flex-direction: row; flex-wrap: wrap; align-items: end; }
.field { display: flex; flex-direction: column; gap: .25rem; width: 100%; max-width: 42rem; }
form.inline .field { width: auto; flex: 1 1 12rem; }
label, legend { font-weight: 500; }
.hint { color: var(--text-quiet); font-size: .8125rem; }
.fault { color: var(--tone-bad); font-weight: 500; font-size: .8125rem; }
input:not([type=checkbox], [type=radio]), select, textarea { font: inherit; color: inherit; width: 100%; min-height: 2.25rem; padding: .4375rem .75rem; border: 1px solid var(--text-quiet);
  border-radius: .375rem; background: var(--surface-card); }
input[type=checkbox], input[type=radio] { accent-color: var(--accent); }
input.mono, textarea.mono { font-family: var(--mono); font-size: .8125rem; }
input.code { font-family: var(--mono); font-size: 1.25rem; letter-spacing: .2em; max-width: 15rem; }
@media (max-width: 45rem) { input:not([type=checkbox], [type=radio]), select, textarea { font-size: 1rem; } }
[aria-invalid=true] { border-color: var(--tone-bad) !important; box-shadow: 0 0 0 1px var(--tone-bad); }
.choice { display: flex; align-items: baseline; gap: .5rem; } .choice label { font-weight: 400; }
fieldset { border: 1px solid var(--line); border-radius: var(--radius); padding: .75rem 1rem; width: 100%; }
.button { display: inline-flex; align-items: center; justify-content: center; min-height: 2.25rem; font: inherit; font-weight: 500; padding: .375rem .875rem; border-radius: .375rem;
  border: 1px solid var(--accent); background: var(--accent); color: var(--surface-card); cursor: pointer; text-decoration: none; text-align: center; }
.button:hover { background: color-mix(in srgb, var(--accent) 88%, var(--text)); }
.button.secondary { background: var(--surface-card); color: var(--text); border-color: var(--line-strong); }
.button.secondary:hover { background: var(--surface-raised); }
.button.danger { background: var(--tone-bad); border-color: var(--tone-bad); color: var(--surface-card); }
.button.danger:hover { background: color-mix(in srgb, var(--tone-bad) 88%, var(--text)); }
.button.small { white-space: nowrap; min-height: 2rem; padding: .25rem .625rem; font-size: .8125rem; }
.languages { flex-direction: row; gap: .75rem; }
.plain { font: inherit; color: var(--accent); background: none; border: 0; padding: .25rem 0; min-height: 1.5rem; cursor: pointer; text-decoration: underline; text-underline-offset: .2em; }
@media (forced-colors: active) { .badge, .button, .notice { border: 1px solid; } }
@media (prefers-reduced-motion: no-preference) { .button, .nav a { transition: background-color .14s ease-out, border-color .14s ease-out; } }`;

const plots = `
.plot { display: block; width: 100%; height: auto; color: var(--text-quiet); font-size: 11px; }
@media (max-width: 45rem) { .plot { font-size: 24px; } }
.plot .grid { stroke: var(--line); } .key-of-plot { display: flex; flex-wrap: wrap; gap: .5rem 1rem; list-style: none; padding: 0; }
ul.choices { display: flex; flex-wrap: wrap; gap: .5rem 1rem; list-style: none; padding: 0; }
.choices a[aria-current] { color: var(--text); font-weight: 600; }
.key-of-plot svg.plot { display: inline-block; font-size: inherit; width: .8em; height: .8em; vertical-align: baseline; margin-right: .4em; }
.figures { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); margin: 0; }
.figures > div { background: var(--surface-card); border: 1px solid var(--line); border-radius: var(--radius); padding: .75rem 1rem; display: flex; flex-direction: column; }
.figures dt { color: var(--text-quiet); font-size: .75rem; order: 2; } .figures dd { margin: 0; font-size: 1.5rem; font-weight: 600; font-variant-numeric: tabular-nums; }
`;

/** The one stylesheet of all pages. */
export const stylesheet = [fontStyles, tokenStyles, ground, layout, pieces, forms, plots, dataStyles].join(
  '\n',
);

/** Changes with the content, so that browsers may cache what this address returned forever. */
export const stylesheetVersion = createHash('sha256').update(stylesheet).digest('hex').slice(0, 12);
export const stylesheetPath = `/assets/portal.css?v=${stylesheetVersion}`;
