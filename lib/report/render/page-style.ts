import { paletteCss } from "../chart/svg-chart.ts";

/** The number of panels for which the style sheet has a rule. */
export const mostPicked = 12;

const pickerRules = Array.from(
  { length: mostPicked },
  (_, index) =>
    `figure:has(.picker [value="${index + 1}"]:checked) .panel:not(:nth-child(${index + 1})){display:none}`,
).join("\n");

/** The page's style. Tables and charts scroll in their own frames. Print always uses the light colours. */
export const styleSheet = `:root{color-scheme:light dark;${paletteCss.light}}
@media (prefers-color-scheme:dark){:root{${paletteCss.dark}}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,"Noto Sans","DejaVu Sans",sans-serif}
header,main{max-width:72rem;margin:0 auto;padding:1.5rem 1.25rem 0}
main{padding:0 1.25rem 4rem}#report:focus{outline:none}
.skip{position:absolute;left:-99rem}.skip:focus{left:1.25rem;top:.25rem;padding:.4rem .8rem;background:var(--page);outline:2px solid var(--variant2)}
h1{font-size:2rem;line-height:1.2;margin:.5rem 0 1rem}
h2{font-size:1.4rem;line-height:1.25;margin:2.25rem 0 .75rem;padding-top:.75rem;border-top:1px solid var(--grid)}
h3{font-size:1.1rem;margin:2rem 0 .5rem}
h4{font-size:1rem;margin:1.5rem 0 .5rem}
p,ul{max-width:52rem;margin:.6rem 0}
ul{padding-left:1.3rem}
li{margin:.3rem 0}
a{color:inherit;text-decoration-color:var(--muted);text-underline-offset:.15em}
a:focus-visible,.frame:focus-visible,summary:focus-visible{outline:2px solid var(--variant2);outline-offset:2px}
code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.92em}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1.1rem;list-style:none;padding:0;margin:1rem 0;max-width:none;font-size:.9rem}
nav li{margin:0}
.note{padding:.65rem .9rem;border-left:4px solid var(--muted);background:var(--band)}
.first-screen{display:grid;grid-template-columns:minmax(0,1fr);gap:0 2rem;font-size:1.06rem}
.first-screen>div>p:last-of-type{margin:0 0 .8rem;font-size:1.2rem;line-height:1.45;font-weight:600}
.first-screen>div>ul{list-style:none;padding:0}
.first-screen figure{margin:0}
.first-screen .frame{margin:.4rem 0 .8rem}
.first-screen table{font-size:.82rem}.first-screen th,.first-screen td{padding:.22rem .4rem}
.first-screen .panels{gap:.35rem;grid-template-columns:minmax(0,1fr)}
@media (min-width:62rem){.first-screen{grid-template-columns:minmax(0,1fr) minmax(0,24rem)}}
.picker{display:flex;flex-wrap:wrap;gap:.2rem .9rem;border:0;margin:.3rem 0;padding:0;font-size:.9rem}
.picker legend{float:left;padding:0;margin-right:.9rem;color:var(--muted)}
.picker label{display:inline-flex;align-items:center;gap:.3rem;min-height:1.6rem}
${pickerRules}
.section{border-top:1px solid var(--grid);margin:0;padding:.7rem 0}
.section>summary h2,.section>summary h3,.section>summary h4{display:inline;margin:0;padding:0;border:0;font-size:1.15rem}
.takeaway{font-weight:400;color:var(--muted);margin-left:.4rem}
tr:target>*{background:var(--band)}
.note.warning{border-left-color:var(--variant0)}
.frame{overflow-x:auto;margin:1.1rem 0}
table{border-collapse:collapse;font-size:.86rem;line-height:1.4;font-variant-numeric:tabular-nums}
caption{text-align:left;padding:0 0 .5rem;color:var(--muted);max-width:min(52rem,calc(100vw - 2.5rem))}
th,td{padding:.28rem .65rem;vertical-align:top;text-align:left}
thead th{border-bottom:1.5px solid var(--ink);vertical-align:bottom;font-weight:600;max-width:11rem}
tbody th{font-weight:400}
tbody tr+tr>*{border-top:1px solid var(--grid)}
tbody tr.group>*{border-top:1.5px solid var(--muted)}
tbody th:first-child,thead th:first-child{position:sticky;left:0;background:var(--page)}
tbody tr:target>:first-child{background:var(--band)}
.section .section{padding:.45rem 0 .45rem 1rem}
.number{text-align:right;white-space:nowrap}
thead .number{white-space:normal}
td:not([class]),tbody th,.whole{white-space:nowrap}
tbody .prose{white-space:normal;min-width:7rem;max-width:34rem;overflow-wrap:anywhere}
figure{margin:1.5rem 0}
figcaption{max-width:52rem;margin-bottom:.75rem;color:var(--muted);font-size:.92rem}
figcaption strong{color:var(--ink)}
.panels{display:grid;gap:1.25rem 1.5rem;grid-template-columns:minmax(0,1fr)}
.small .panels{grid-template-columns:repeat(auto-fit,minmax(min(100%,26rem),1fr))}
.panel svg{display:block;width:100%;height:auto;font-family:inherit}
.small .panel svg{max-width:34rem}
.medium .panel svg{max-width:38rem}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:.3rem 1.4rem;padding:0;margin:.5rem 0 1rem;font-size:.9rem}
.legend li{margin:0;display:flex;align-items:center;gap:.5rem}
.panel-label{margin:0 0 .25rem;font-weight:600;font-size:.95rem}
details{margin:1.25rem 0}
summary{cursor:pointer;font-weight:600}
.filters{display:flex;flex-wrap:wrap;gap:.3rem 1.2rem;align-items:center;margin:.8rem 0;font-size:.9rem;max-width:100%}.filters label{display:flex;gap:.4rem;align-items:center;min-width:0;max-width:100%}
.filters select{font:inherit;color:inherit;background:var(--page);border:1px solid var(--muted);min-height:1.8rem;min-width:0}
thead button{border:0;padding:0 .2rem;min-width:1.5rem;min-height:1.5rem;background:none;color:var(--muted);font:inherit;cursor:pointer}
thead button::before{content:"\\2195"}[aria-sort=ascending] button::before{content:"\\2191"}[aria-sort=descending] button::before{content:"\\2193"}
thead button:focus-visible,select:focus-visible{outline:2px solid var(--variant2)}
.sorted tr.group>*{border-top:1px solid var(--grid)}
@media (max-width:30rem){h1{font-size:1.15rem;margin:.1rem 0 .3rem}header{padding-top:.3rem}
.first-screen{font-size:.9rem}.first-screen>div>p:last-of-type{font-size:.94rem;line-height:1.3;margin-bottom:.3rem}
.first-screen>div>ul{font-size:.84rem;line-height:1.3;margin:.2rem 0}.first-screen li{margin:.1rem 0}
.first-screen table{font-size:.75rem}.first-screen .frame{margin:.1rem 0 .2rem}.first-screen caption{padding-bottom:.2rem}
.first-screen th,.first-screen td{padding:.15rem .3rem}
.first-screen figcaption{font-size:.8rem;margin-bottom:.1rem;line-height:1.35}.first-screen .said{display:none}
.first-screen .picker{font-size:.78rem;gap:0 .5rem;margin:0}.first-screen .legend{font-size:.78rem;gap:0 .8rem;margin:0 0 .2rem}
tbody th:first-child{white-space:normal;min-width:7.8rem;max-width:10rem}}
@page{margin:13mm 12mm}
@media print{details::details-content{content-visibility:visible}
:root{color-scheme:light;${paletteCss.light}}
html{font-size:10pt}body{font-size:1rem}header,main{max-width:none;padding:0}nav,.skip,.picker,.filters,thead button{display:none}tr[hidden]{display:table-row}.first-screen{display:block}
.frame{overflow:visible}tr,.note,.panel,figcaption,caption,li{break-inside:avoid}.small .panels{grid-template-columns:1fr 1fr}h2,h3,h4,caption,figcaption{break-after:avoid}
.legend{break-after:avoid}
table{font-size:6.5pt;max-width:100%}th,td{padding:.1rem .25rem}th,td,.number{white-space:normal!important}}`;
