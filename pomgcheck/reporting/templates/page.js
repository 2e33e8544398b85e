"use strict";
// The page is whole without this script; with it, tables sort and their rows are chosen, drawings tell their values to keys and fingers, all
// claims open at once, and what the page holds can be saved as files.

const blankLast = (a, b) => (a === "–") - (b === "–");
const compared = (a, b) => (isNaN(a) || isNaN(b) ? a.localeCompare(b, "en", { numeric: true }) : a - b);
const NEXT = { none: "ascending", ascending: "descending", descending: "none" };

for (const table of document.querySelectorAll("table[data-filters]")) {
  const rows = [...table.tBodies[0].rows];
  const heads = [...table.tHead.rows[0].cells].map((head) => head.textContent);
  const parts = (row, k) => row.cells[k].textContent.trim().split(", ");
  const bar = document.createElement("p");
  const count = document.createElement("output");
  const chosen = table.dataset.filters.split("|").map((name) => {
    const k = heads.indexOf(name);
    const select = document.createElement("select");
    const values = [...new Set(rows.flatMap((row) => parts(row, k)))].sort((a, b) => a.localeCompare(b, "en"));
    select.append(new Option("all", ""), ...values.map((value) => new Option(value, value)));
    const label = document.createElement("label");
    label.append(`${name} `, select);
    bar.append(label, " ");
    return [k, select];
  });
  const filter = () => {
    for (const row of rows) row.hidden = chosen.some(([k, { value }]) => value && !parts(row, k).includes(value));
    count.textContent = `${rows.filter((row) => !row.hidden).length} of ${rows.length}`;
  };
  chosen.forEach(([, select]) => select.addEventListener("change", filter));
  bar.className = "filters";
  bar.append(count);
  table.before(bar);
  filter();
}

for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const own = [...body.rows];
  const heads = [...table.tHead.rows[0].cells];
  const key = (row, k) => row.cells[k].dataset.sort ?? row.cells[k].textContent.trim();
  heads.forEach((head, k) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const order = NEXT[head.getAttribute("aria-sort") ?? "none"];
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      if (order !== "none") head.setAttribute("aria-sort", order);
      const sign = { none: 0, ascending: 1, descending: -1 }[order];
      const sorted = (row, other) => {
        const [a, b] = [key(row, k), key(other, k)];
        return blankLast(a, b) || sign * compared(a, b);
      };
      body.append(...(sign ? [...own].sort(sorted) : own));
    });
  });
}

for (const figure of document.querySelectorAll("figure.asked")) {
  const stops = [...figure.querySelectorAll(".stop")];
  const reader = figure.querySelector(".reader");
  const [slider, output] = reader.children;
  const show = (k) => {
    const words = stops[k].querySelector("title").textContent;
    stops.forEach((stop, n) => stop.classList.toggle("shown", n === k));
    slider.value = k;
    slider.setAttribute("aria-valuetext", words);
    output.textContent = words;
  };
  slider.addEventListener("input", () => show(Number(slider.value)));
  slider.addEventListener("focus", () => show(Number(slider.value)));
  stops.forEach((stop, k) => ["pointerenter", "click"].forEach((event) => stop.addEventListener(event, () => show(k))));
  reader.hidden = false;
}

const claims = [...document.querySelectorAll("details.claim")];
if (claims.length) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "all";
  const opened = () => claims.every((claim) => claim.open);
  const named = () => (button.textContent = opened() ? "Close all claims" : "Open all claims");
  button.addEventListener("click", () => {
    const open = !opened();
    claims.forEach((claim) => (claim.open = open));
    named();
  });
  claims.forEach((claim) => claim.addEventListener("toggle", named));
  named();
  claims[0].before(button);
}

const reveal = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const claim = target?.closest("details.claim");
  if (claim) {
    claim.open = true;
    claim.scrollIntoView();
  }
};
addEventListener("hashchange", reveal);
reveal();

let closed = [];
addEventListener("beforeprint", () => {
  closed = claims.filter((claim) => !claim.open);
  closed.forEach((claim) => (claim.open = true));
});
addEventListener("afterprint", () => closed.forEach((claim) => (claim.open = false)));

const files = document.querySelector(".files");
for (const held of document.querySelectorAll("script.held:not([data-outside])")) {
  const { kind, name } = held.dataset;
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = `Save ${name || `the ${kind}`}`;
  button.addEventListener("click", () => {
    const text = held.textContent.replaceAll("<\\u0021--", "<!--").replaceAll("<\\/", "</");
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    link.download = name || `${kind}.json`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
  files.append(button);
  files.hidden = false;
}
