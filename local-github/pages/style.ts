/** Is the one sheet for all pages; colours are named once and have a dark twin. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f6f7f9; --sheet: #ffffff; --ink: #1d2430; --soft: #566072; --line: #d9dee6;
  --link: #0b57b8; --go: #1a7f4b; --go-ink: #ffffff; --stop: #b3382c; --wait: #8a5a00; --past: #6a3fb5;
  --plus: #e2f5e9; --minus: #fdeae8; --hunk: #eaf1fb; --chip: #eef1f5;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #12161c; --sheet: #1a2028; --ink: #e4e8ee; --soft: #a2adbc; --line: #323b48;
    --link: #7db4ff; --go: #4cc38a; --go-ink: #08130d; --stop: #ff8a7d; --wait: #e3b341; --past: #b79cf0;
    --plus: #15301f; --minus: #3a1d1c; --hunk: #1b2a3f; --chip: #28303b;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 4px; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: .5rem; background: var(--sheet); padding: .25rem .75rem; z-index: 1; }
header, main { max-width: 100rem; margin: 0 auto; padding: 0 1.5rem; }
header { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; align-items: baseline; padding-top: 1rem; }
header nav a { font-weight: 650; color: var(--ink); }
header p { margin: 0; color: var(--soft); }
main { padding-bottom: 3rem; }
main.narrow, header.narrow { max-width: 64rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 1rem 0 .25rem; overflow-wrap: anywhere; }
h2 { font-size: 1.05rem; margin: 1.75rem 0 .6rem; }
h3 { font-size: .95rem; margin: 1rem 0 .4rem; }
.number { color: var(--soft); font-weight: 400; font-variant-numeric: tabular-nums; }
.about { color: var(--soft); margin: .4rem 0 1rem; display: flex; flex-wrap: wrap; gap: .4rem .75rem; align-items: center; }
.board { display: grid; grid-auto-flow: column; grid-auto-columns: minmax(10.4rem, 1fr); gap: .6rem; overflow-x: auto; padding: 2px 2px .5rem; }
.column { background: var(--chip); border-radius: 10px; padding: .6rem; min-height: 8rem; }
.column h3 { margin: 0 0 .5rem; display: flex; justify-content: space-between; }
.column ol, .plain { list-style: none; margin: 0; padding: 0; }
.card { background: var(--sheet); border: 1px solid var(--line); border-radius: 8px; padding: .55rem .7rem; margin-bottom: .5rem; overflow-wrap: anywhere; }
.card a { color: var(--ink); }
.card .number { display: block; font-size: .85rem; }
.about .chip { margin: 0; }
.chip { display: inline-block; background: var(--chip); border-radius: 999px; padding: 0 .6rem; font-size: .8rem; margin: .25rem .25rem 0 0; overflow-wrap: anywhere; }
.state { display: inline-block; border: 1px solid currentColor; border-radius: 999px; padding: 0 .6rem; font-size: .82rem; font-weight: 600; white-space: nowrap; }
.go { color: var(--go); } .stop { color: var(--stop); } .wait { color: var(--wait); } .past { color: var(--past); } .soft { color: var(--soft); }
.scroll { overflow-x: auto; background: var(--sheet); border: 1px solid var(--line); border-radius: 10px; }
table { border-collapse: collapse; width: 100%; }
th { text-align: left; font-size: .82rem; color: var(--soft); font-weight: 600; }
th, td { padding: .45rem .8rem; border-bottom: 1px solid var(--line); vertical-align: baseline; }
tr:last-child td { border-bottom: 0; }
td.title { overflow-wrap: anywhere; min-width: 14rem; width: 60%; }
.sheet { background: var(--sheet); border: 1px solid var(--line); border-radius: 10px; padding: .25rem 1rem .5rem; margin: 0 0 .75rem; overflow-wrap: anywhere; }
.sheet > .by strong { color: var(--ink); }
.sheet > .by { color: var(--soft); font-size: .88rem; margin: .4rem 0; display: flex; gap: .6rem; flex-wrap: wrap; align-items: baseline; }
.sheet p, blockquote p { white-space: pre-line; margin: .5rem 0; }
.sheet ul { padding-left: 1.3rem; margin: .5rem 0; }
blockquote { margin: .5rem 0; padding-left: .9rem; border-left: 3px solid var(--line); color: var(--soft); }
code, pre { font: .86rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
code { background: var(--chip); border-radius: 4px; padding: .1rem .3rem; overflow-wrap: anywhere; }
pre.code { background: var(--chip); border-radius: 6px; padding: .6rem .8rem; overflow-x: auto; margin: .5rem 0; }
.file { background: var(--sheet); border: 1px solid var(--line); border-radius: 10px; margin-bottom: .75rem; overflow: hidden; }
.file summary { padding: .5rem .9rem; cursor: pointer; overflow-wrap: anywhere; }
.file summary:focus-visible { outline-offset: -3px; }
.file summary b { font: 600 .88rem ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.diff { margin: 0; overflow-x: auto; border-top: 1px solid var(--line); padding: .25rem 0; tab-size: 4; }
.diff span { display: block; padding: 0 .9rem; white-space: pre; min-width: max-content; }
.diff .plus { background: var(--plus); } .diff .minus { background: var(--minus); } .diff .hunk { background: var(--hunk); color: var(--soft); }
form { background: var(--sheet); border: 1px solid var(--line); border-radius: 10px; padding: .9rem 1rem 1rem; }
label { display: block; font-weight: 600; margin-bottom: .35rem; }
textarea { width: 100%; min-height: 5.5rem; padding: .5rem .65rem; font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--soft); border-radius: 6px; resize: vertical; }
select, input:not([type=hidden]) { font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--soft); border-radius: 6px; padding: .35rem .5rem; max-width: 100%; }
button { font: inherit; font-weight: 600; padding: .45rem 1.1rem; margin: .6rem .5rem 0 0; border-radius: 6px; border: 1px solid var(--soft); background: var(--sheet); color: var(--ink); cursor: pointer; }
button.primary { background: var(--go); border-color: var(--go); color: var(--go-ink); }
.alert { border: 1px solid var(--stop); border-left-width: 5px; border-radius: 8px; padding: .6rem .9rem; background: var(--sheet); }
#ended { position: sticky; bottom: 0; margin: 0; padding: .6rem 1.5rem; background: var(--ink); color: var(--ground); text-align: center; }
@media (max-width: 40rem) { header, main { padding-left: .9rem; padding-right: .9rem; } .board { grid-auto-flow: row; } .column { min-height: 0; } .column ol:empty { display: none; } table, tbody, td { display: block; } thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); } tr { display: flex; flex-wrap: wrap; gap: .35rem .75rem; align-items: baseline; padding: .55rem .8rem; border-bottom: 1px solid var(--line); } tr:last-child { border-bottom: 0; } td { padding: 0; border: 0; } td.title { min-width: 0; width: 100%; } td[data-label]::before { content: attr(data-label) " "; color: var(--soft); font-size: .82rem; } }
`;
