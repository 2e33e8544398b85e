"use strict";
// One tab of the page. Every question carries a number; an answer to another than the newest is not shown.

const $ = (id) => document.getElementById(id);
const body = document.body;
const text = $("text");
const [gutter, mark, lens] = ["gutter pre", "mark", "lens"].map((name) => document.querySelector(`.editor .${name}`));
const TAB = crypto.randomUUID?.() ?? String(Math.random()).slice(2);
const DRAFT = `pomgcheck ${location.port} ${$("folder").textContent}/${document.title}`;
const PAUSE = 40; // milliseconds after a key
const EVERY = 1000; // milliseconds between two looks at the file
let most = Infinity; // bytes of a document
let known = ""; // digest of the file as it was read or written
let saved = ""; // its text
let number = 0; // of the newest question
let shown = 0; // of the answer on the page
let shownText = null; // what that answer is about
let knobs = []; // of the text they stand in
let knobsText = null;
let opened = new Set();
let folded = new Set(); // refuted claims that were closed by hand
let slow = false;
let away = false;
let problem = null; // { sentence, line }
let waiting = 0;

class Refusal extends Error {
  constructor(sentence, sha256) {
    super(sentence);
    this.sha256 = sha256;
  }
}

async function asked(path, given) {
  const options = given && { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(given) };
  const response = await fetch(path, options);
  const kind = response.headers.get("Content-Type") ?? "";
  const found = kind.startsWith("application/json") ? await response.json() : { sentence: await response.text() };
  if (!response.ok) throw new Refusal(found.sentence ?? response.statusText, found.sha256);
  return found;
}

// -- what the page is at

function say(state, words) {
  body.dataset.state = state;
  $("status").textContent = words;
  $("right").setAttribute("aria-busy", String(state === "working"));
  $("keep").disabled = state !== "current";
  const old = shown > 0 && state !== "current";
  $("old").hidden = !old || state === "working";
  $("old").textContent = "What follows is about an earlier document, not the one in the editor.";
}

function notice(words, { good = false, load = false, over = null } = {}) {
  $("notice").hidden = !words;
  $("notice").classList.toggle("good", good);
  $("notice").firstElementChild.textContent = words;
  $("load").hidden = !load;
  $("over").hidden = over === null;
  $("over").dataset.known = over ?? "";
}

const dirty = () => text.value !== saved;

function titled() {
  const name = document.querySelector("h1").textContent;
  document.title = `${dirty() ? "• " : ""}${name}: pomgcheck`;
  $("save").disabled = !dirty();
}

// -- the editor

function lines() {
  const count = text.value.split("\n").length;
  const bad = problem?.line ?? 0;
  if (gutter.dataset.state === `${count} ${bad}`) return;
  gutter.dataset.state = `${count} ${bad}`;
  const numbers = (from, to) => Array.from({ length: to - from + 1 }, (_, k) => from + k).join("\n");
  gutter.textContent = "";
  if (bad < 1 || bad > count) {
    gutter.textContent = numbers(1, count);
    return;
  }
  const here = document.createElement("b");
  here.textContent = `▸${bad}`;
  gutter.append(bad > 1 ? `${numbers(1, bad - 1)}\n` : "", here, bad < count ? `\n${numbers(bad + 1, count)}` : "");
}

const row = () => parseFloat(getComputedStyle(text).lineHeight);
const lineAt = (place) => text.value.slice(0, place).split("\n").length;

function place() {
  gutter.style.transform = `translateY(${-text.scrollTop}px)`;
  const line = problem?.line;
  mark.hidden = lens.hidden = !line;
  if (!line) return;
  const top = parseFloat(getComputedStyle(text).paddingTop) + (line - 1) * row() - text.scrollTop;
  mark.style.top = `${top}px`;
  const covered = Math.ceil(lens.offsetHeight / row());
  const caret = lineAt(text.selectionEnd);
  const under = document.activeElement === text && caret > line && caret <= line + covered;
  const above = top >= lens.offsetHeight && (under || top + row() + lens.offsetHeight > text.clientHeight);
  lens.style.top = `${above ? top - lens.offsetHeight : top + row()}px`;
}

function complain(found) {
  problem = found;
  const line = found?.line;
  $("problem").classList.toggle("bad", found !== null);
  $("problem").firstElementChild.textContent = found === null ? "" : line ? `Line ${line}: ${found.sentence}` : found.sentence;
  $("go").hidden = !line;
  lens.textContent = line ? found.sentence : "";
  text.setAttribute("aria-invalid", String(found !== null));
  lines();
  place();
}

function goToLine() {
  const before = text.value.split("\n").slice(0, problem.line - 1);
  const start = before.reduce((sum, each) => sum + each.length + 1, 0);
  const end = text.value.indexOf("\n", start);
  text.focus();
  text.setSelectionRange(start, end < 0 ? text.value.length : end);
  text.scrollTop = Math.max(0, (problem.line - 4) * row());
  place();
}

// -- questions and answers

function changed() {
  lines();
  titled();
  place();
  sessionStorage.setItem(DRAFT, JSON.stringify({ text: text.value, known }));
  clearTimeout(waiting);
  waiting = setTimeout(ask, PAUSE);
  number += 1; // whatever is on its way is about an earlier text
  enable();
  say("working", "Working …");
}

async function ask(patient = false) {
  clearTimeout(waiting);
  const [mine, about] = [(number += 1), text.value];
  if (new Blob([about]).size > most) {
    const sentence = `found ${new Blob([about]).size.toLocaleString("en")} bytes, required at most ${most.toLocaleString("en")}; certify so long a document by pomgcheck certify`;
    complain({ sentence, line: null });
    say("broken", "The document is too long for a page.");
    return;
  }
  say("working", patient ? "Certifying …" : "Working …");
  $("slow").hidden = !patient;
  if (patient) {
    $("slow").firstElementChild.textContent = "The class is being certified.";
    $("certify").hidden = true;
    $("stop").hidden = false;
  }
  let found;
  try {
    found = await asked("answer", { tab: TAB, number: mine, text: about, opened: [...opened], patient, slow });
    away = false;
  } catch (error) {
    if (mine === number) lost(error);
    return;
  }
  if (mine !== number || about !== text.value) return; // a newer question is on its way
  take(found, mine, about, patient);
}

function take(found, mine, about, patient) {
  if (found.knobs) draw(found.knobs, about);
  if (found.state === "settled") {
    complain(null);
    [shown, shownText] = [mine, about];
    slow = slow && !found.quick;
    $("slow").hidden = true;
    show(found);
    const again = 16 - found.carried;
    const work = again ? `${again} ${again === 1 ? "claim" : "claims"} certified in ${found.seconds} s` : "Nothing new to certify";
    say("current", `${found.name}: ${found.counts}. ${work}.`.replace("certified in", found.carried ? "certified again in" : "certified in"));
  } else if (found.state === "unusable") {
    $("slow").hidden = true;
    complain(found);
    say("broken", found.line ? `The document has an error in line ${found.line}.` : "The document has an error.");
  } else if (found.state === "slow") {
    slow = true;
    complain(null);
    tooSlow(found.why);
  } else if (found.state === "failed") {
    complain(null);
    $("slow").hidden = true;
    say("broken", found.sentence);
  } else if (found.state === "dropped") {
    if (patient) tooSlow("it was stopped");
    else setTimeout(() => mine === number && ask(), 200);
  }
}

function tooSlow(why) {
  complain(null);
  $("slow").hidden = false;
  $("slow").firstElementChild.textContent = `This class is too slow to be certified while you type: ${why}. Press the button when the document is as you want it.`;
  $("certify").hidden = false;
  $("stop").hidden = true;
  say("slow", "Not certified as it stands in the editor.");
}

function lost(error) {
  if (error instanceof Refusal) {
    say("broken", error.message);
    return;
  }
  away = true;
  say("away", "The program does not answer; the page will try again. Is pomgcheck serve still running?");
}

// -- what was found

function show(found) {
  const before = Object.fromEntries([...$("bars").children].map((bar) => [bar.dataset.base, { ...bar.dataset }]));
  $("verdict").innerHTML = found.verdict;
  $("bars").innerHTML = found.bars;
  for (const bar of $("bars").children) scaled(bar, before[bar.dataset.base]);
  const focused = document.activeElement?.closest("#claims .claim")?.dataset.claim;
  $("claims").innerHTML = found.claims;
  for (const claim of $("claims").children) watch(claim);
  if (focused) document.querySelector(`[data-claim="${focused}"] > summary`)?.focus({ preventScroll: true });
  $("constants").hidden = $("list").hidden = false;
  if (!$("diagrams").hidden) dated();
}

// A scale is kept while the bar is legible on it, so that a bar grows where its constant does.
const scales = {}; // base of a constant -> { power, written }

function scaled(bar, then) {
  const { base, scale, power, solid, pale, value } = bar.dataset;
  if (!scale) return;
  const kept = scales[base];
  const steady = kept && Number(power) <= kept.power && Number(power) >= kept.power / 10.5;
  const { power: most, written } = steady ? kept : (scales[base] = { power: Number(power), written: scale });
  const width = (percent) => Math.min(100, (Number(percent) * Number(power)) / most);
  bar.querySelector(".solid").style.width = `${width(solid)}%`;
  bar.querySelector(".pale").style.width = `${width(pale)}%`;
  bar.querySelector(".scale").textContent = written;
  bar.querySelector(".track").setAttribute("aria-label", `${value}, on a scale from 0 to ${written}`);
  bar.dataset.width = width(solid);
  if (!then?.width || !steady || then.width === bar.dataset.width) return;
  const tick = bar.querySelector(".before");
  tick.hidden = false;
  tick.style.left = `calc(${Math.min(then.width, 99.5)}% - 1px)`;
  tick.title = `before: ${then.value}`;
}

function watch(claim) {
  const id = claim.dataset.claim;
  if (folded.has(id)) claim.open = false;
  claim.addEventListener("toggle", () => {
    if (claim.dataset.verdict === "refuted") folded[claim.open ? "delete" : "add"](id);
    else opened[claim.open ? "add" : "delete"](id);
    if (claim.open) fill(claim, id);
  });
}

async function fill(claim, id) {
  const inside = claim.querySelector(".inside");
  if (inside.textContent.trim()) return;
  inside.textContent = "…";
  try {
    const found = await asked("section", { tab: TAB, number: shown, claim: id });
    if (!claim.isConnected) return;
    if (found.state === "settled") inside.innerHTML = found.section;
    else inside.textContent = found.sentence ?? "";
  } catch (error) {
    inside.textContent = error instanceof Refusal ? error.message : "The program does not answer.";
  }
}

// -- knobs

function draw(found, about) {
  const same = found.length === knobs.length && found.every((knob, k) => knob.name === knobs[k].name);
  const keep = (old, knob) => old.values.includes(knob.value) || !knob.values.length;
  const before = knobs;
  knobs = found.map((knob, k) => (same && keep(before[k], knob) ? { ...knob, values: before[k].values } : knob));
  knobsText = about;
  const holder = $("knobs").querySelector("div");
  if (!same) holder.replaceChildren(...knobs.map((knob, k) => slider(knob, k)));
  knobs.forEach((knob, k) => set(holder.children[k], knob));
  $("knobs").hidden = !knobs.length;
  enable();
}

function slider(knob, k) {
  const made = document.createElement("div");
  made.className = "knob";
  made.innerHTML = `<label for="knob-${k}"></label><input type="range" id="knob-${k}" min="0"><output for="knob-${k}"></output><button type="button">Phase diagram</button>`;
  const [label, input, , button] = made.children;
  label.textContent = knob.name;
  button.setAttribute("aria-label", `Phase diagram over ${knob.name}`);
  input.addEventListener("input", () => turn(k, Number(input.value)));
  button.addEventListener("click", () => diagram(knobs[k].name));
  return made;
}

function set(made, knob) {
  const [, input, output, button] = made.children;
  input.hidden = button.hidden = !knob.values.length;
  input.max = Math.max(0, knob.values.length - 1);
  const at = knob.values.indexOf(knob.value);
  if (at >= 0) input.value = at;
  input.setAttribute("aria-valuetext", knob.value);
  output.textContent = knob.value;
}

function enable() {
  const usable = text.value === knobsText;
  for (const input of $("knobs").querySelectorAll("input, button")) input.disabled = !usable;
}

// A slider writes its number into the document, where the knob stands.
function turn(k, position) {
  const knob = knobs[k];
  if (text.value !== knobsText || knob.values[position] === undefined) return;
  knob.value = knob.values[position];
  const written = `"${knob.value}"`;
  const longer = written.length - (knob.end - knob.start);
  const top = text.scrollTop;
  text.setRangeText(written, knob.start, knob.end, "preserve");
  text.scrollTop = top;
  for (const other of knobs) {
    if (other.start > knob.start) [other.start, other.end] = [other.start + longer, other.end + longer];
  }
  knob.end += longer;
  knobsText = text.value;
  set($("knobs").querySelector("div").children[k], knob);
  changed();
}

// -- phase diagrams

let drawn = 0;
let drawnText = null;

function dated() {
  const now = drawnText === text.value;
  const note = $("diagrams").querySelector(".note");
  if (drawnText !== null) note.textContent = now ? "Certified at 13 points; the document's own value is marked." : "Drawn of an earlier document.";
}

async function diagram(knob) {
  const mine = (drawn += 1);
  const about = text.value;
  drawnText = null;
  const [title, note, holder] = $("diagrams").children;
  $("diagrams").hidden = false;
  title.textContent = `Phase diagram over ${knob}`;
  note.textContent = "Certifying the class at 13 points …";
  holder.innerHTML = "";
  title.focus({ preventScroll: false });
  try {
    const found = await asked("diagram", { tab: TAB, text: about, knob });
    if (mine !== drawn) return;
    if (found.state !== "settled") {
      note.textContent = found.sentence ?? "It was stopped.";
      return;
    }
    drawnText = about;
    holder.innerHTML = found.diagram;
    figures(holder);
    dated();
  } catch (error) {
    if (mine === drawn) note.textContent = error instanceof Refusal ? error.message : "The program does not answer.";
  }
}

function figures(holder) {
  for (const figure of holder.querySelectorAll("figure.asked")) {
    const stops = [...figure.querySelectorAll(".stop")];
    const reader = figure.querySelector(".reader");
    const [input, output] = reader.children;
    const tell = (k) => {
      const words = stops[k].querySelector("title").textContent;
      stops.forEach((stop, n) => stop.classList.toggle("shown", n === k));
      input.value = k;
      input.setAttribute("aria-valuetext", words);
      output.textContent = words;
    };
    input.addEventListener("input", () => tell(Number(input.value)));
    stops.forEach((stop, k) => stop.addEventListener("pointerenter", () => tell(k)));
    reader.hidden = false;
  }
}

// -- saving

async function save(against = known) {
  const about = text.value;
  try {
    const found = await asked("save", { text: about, known: against });
    [known, saved] = [found.sha256, about];
    sessionStorage.setItem(DRAFT, JSON.stringify({ text: text.value, known }));
    notice("The document is saved.", { good: true });
  } catch (error) {
    if (error instanceof Refusal) notice(error.message, { load: Boolean(error.sha256), over: error.sha256 ?? null });
    else lost(error);
  }
  titled();
}

async function keep() {
  if (body.dataset.state !== "current") return;
  notice("The kernel checks the certificate …", { good: true });
  try {
    const found = await asked("certificate", { tab: TAB, number: shown });
    const unsaved = found.document_saved ? "" : " The document in the editor is not saved yet.";
    const digest = `certificate ${found.sha256.slice(0, 16)}…`;
    notice(`Certificate: ${found.path}. The kernel has checked all of it (${digest}).${unsaved}`, { good: true });
  } catch (error) {
    notice(error instanceof Refusal ? error.message : "The program does not answer.");
  }
}

async function load() {
  const found = await asked("document");
  most = found.most;
  [known, saved] = [found.sha256, found.text];
  text.value = found.text;
  sessionStorage.removeItem(DRAFT);
  notice("");
  changed();
}

// -- the file on disk, and the program that may be away

let told = ""; // the digest of which it was said that the file has changed

async function look() {
  try {
    const found = await asked(`state?tab=${encodeURIComponent(TAB)}`);
    if (found.sha256 !== known && found.sha256 !== told && known) {
      told = found.sha256;
      const words = found.sha256 ? "The file was changed on disk meanwhile." : "The file is gone from the disk.";
      notice(words, { load: found.sha256 !== "" });
    }
    if (found.far && body.dataset.state === "working") $("status").textContent = `Working: ${found.far} …`;
    if (found.diagram && drawnText === null) $("diagrams").querySelector(".note").textContent = `Certifying: ${found.diagram} …`;
    if (away) {
      away = false;
      ask();
    }
  } catch (error) {
    if (!away) lost(error);
  }
  setTimeout(look, document.hidden ? 5 * EVERY : EVERY);
}

// -- keys and buttons

text.addEventListener("input", changed);
text.addEventListener("scroll", place);
document.addEventListener("selectionchange", place);
addEventListener("resize", place);
$("go").addEventListener("click", goToLine);
$("save").addEventListener("click", () => save());
$("keep").addEventListener("click", keep);
$("certify").addEventListener("click", () => ask(true));
$("stop").addEventListener("click", () => asked("stop", { tab: TAB }).catch(lost));
$("load").addEventListener("click", () => load().catch((error) => notice(error.message)));
$("over").addEventListener("click", () => save($("over").dataset.known));
$("hide").addEventListener("click", () => notice(""));
$("close-diagrams").addEventListener("click", () => {
  drawn += 1;
  $("diagrams").hidden = true;
});
addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
  if (event.key === "s") {
    event.preventDefault();
    if (dirty()) save();
  } else if (event.key === "Enter") {
    event.preventDefault();
    keep();
  }
});
addEventListener("beforeunload", (event) => {
  if (dirty()) event.preventDefault();
});

(async () => {
  const draft = JSON.parse(sessionStorage.getItem(DRAFT) ?? "null");
  try {
    await load();
    if (draft && draft.text !== text.value) {
      text.value = draft.text;
      known = draft.known;
      changed();
      notice("What this tab had not saved is back.", { load: true });
    }
  } catch (error) {
    say("broken", error.message);
    notice(error.message);
  }
  look();
})();
