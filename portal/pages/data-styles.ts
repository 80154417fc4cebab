/** Styles of charts, figures, QR codes, and forms that show the fields a choice needs. */
export const dataStyles = `
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
