// Asks /api/now every second and shows it. All texts go into the page as text, never as HTML.
"use strict";
const $ = id => document.getElementById(id);
const HOUR = 3600, COLORS = ["#2e6fdb", "#e07b00", "#22996b", "#b0409e", "#c83737", "#6c7a91", "#8a6d00", "#00879a"];
let token = null, before = null, timer = null, graphs = [];

function element(kind, text, more) {
  const e = document.createElement(kind);
  if (text !== undefined && text !== null) e.textContent = text;
  return Object.assign(e, more || {});
}

async function ask(path, body) {
  const r = await fetch("api/" + path, body === undefined ? {} : {
    method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json", "X-Evenkeel-Token": token || "" } });
  const answer = await r.json();
  if (r.status === 401 && path !== "login") { leave(); throw new Error("logged out"); }
  return answer;
}

// --- graphs: a name, a unit, and what a look and the one before give (an object of lines)
const rate = (now, was, name) => Math.max(0, (now.status[name] - was.status[name]) / (now.time - was.time));
const map = part => new Map((part.rows || []).map(r => [r[0], +r[1]]));

function quantiles(now, was) {
  if (now.quantiles) return now.quantiles;
  const old = map(was.latency), grown = [...map(now.latency)].map(([high, n]) => [+high, n - (old.get(high) || 0)]).filter(b => b[1] > 0);
  const all = grown.reduce((n, b) => n + b[1], 0);
  const at = q => { let n = 0; for (const [high, k] of grown) { n += k; if (n >= q * all) return high * 1000; } return null; };
  return all ? { "50 %": at(.5), "95 %": at(.95), "99 %": at(.99) } : { "50 %": null, "95 %": null, "99 %": null };
}

function waits(now, was) {
  const old = map(was.waits), out = {};
  for (const [name, s] of map(now.waits)) out[name.replace("wait/", "")] = Math.max(0, (s - (old.get(name) || 0)) / (now.time - was.time));
  return out;
}

// CPUs that spin for latches
function spun(now, was) {
  const of = n => n.spin && n.spin.rows && n.spin.rows.length ? +n.spin.rows[0][0] : NaN;
  return Math.max(0, (of(now) - of(was)) / (now.time - was.time));
}

// young and old pages of the indexes that hold most; the server looks at the pool more rarely than at the rest
function pool(now) {
  const out = {};
  for (const [name, young, old] of ((now.pool && now.pool.rows) || []).slice(0, 4)) { out[name + " young"] = young; out[name + " old"] = old; }
  return out;
}

const GRAPHS = [
  ["Queries per second", (n, w) => ({ queries: rate(n, w, "Queries"), selects: rate(n, w, "Com_select"),
    changes: ["insert", "update", "delete", "replace"].reduce((s, c) => s + rate(n, w, "Com_" + c), 0) })],
  ["Latency of statements, ms", quantiles],
  ["CPU in use, of effective CPUs", (n, w) => ({ user: rate(n, w, "Innodb_cpu_utime_abs"), system: rate(n, w, "Innodb_cpu_stime_abs"), effective: n.status.Innodb_cpu_n,
    spin: spun(n, w), throttled: rate(n, w, "Cgroup_throttled_usec") / 1e6 })],
  ["Waits, sessions by class", waits, true],
  ["Buffer pool, pages", n => ({ data: n.status.Innodb_buffer_pool_pages_data, old: n.status.Innodb_buffer_pool_pages_old,
    dirty: n.status.Innodb_buffer_pool_pages_dirty, free: n.status.Innodb_buffer_pool_pages_free })],
  ["Buffer pool by index, pages", n => pool(n)],
  ["Redo, MB per second; checkpoint age, MB", (n, w) => ({ written: rate(n, w, "Innodb_redo_log_current_lsn") / 1e6,
    age: (n.status.Innodb_redo_log_current_lsn - n.status.Innodb_redo_log_checkpoint_lsn) / 1e6 })],
  ["Connections", n => ({ connected: n.status.Threads_connected, running: n.status.Threads_running, "wait for rows": n.status.Innodb_row_lock_current_waits })],
];

class Graph {
  constructor([title, values, stacked]) {
    Object.assign(this, { title, values, stacked, names: [], times: [], lines: [] });
    this.box = element("div", null, { className: "graph" });
    this.box.append(element("h2", title), this.place = element("div"));
    $("graphs").append(this.box);
  }
  push(now, was) {
    const v = this.values(now, was);
    let fresh = false;
    for (const name of Object.keys(v)) if (!this.names.includes(name) && this.names.length < COLORS.length) {
      this.names.push(name); this.lines.push(this.times.map(() => null)); fresh = true;
    }
    this.times.push(now.time);
    this.names.forEach((name, i) => this.lines[i].push(Number.isFinite(v[name]) ? v[name] : null));
    while (this.times[0] < now.time - HOUR) { this.times.shift(); this.lines.forEach(l => l.shift()); }
    return fresh;
  }
  add(now, was) { if (this.push(now, was) || !this.plot) this.draw(); else this.plot.setData(this.data()); }
  data() {
    if (!this.stacked) return [this.times, ...this.lines];
    let sum = this.times.map(() => 0);
    return [this.times, ...this.lines.map(l => sum = sum.map((s, i) => s + (l[i] || 0)))];
  }
  draw() {
    if (this.plot) this.plot.destroy();
    const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    const axis = { stroke: css("--soft"), grid: { stroke: css("--line"), width: 1 }, ticks: { stroke: css("--line") } };
    const shown = i => (u, v, s, at) => { const x = at === null ? this.lines[i][this.lines[i].length - 1] : this.lines[i][at]; return x === null || x === undefined ? "–" : +x.toPrecision(3) + ""; };
    this.plot = new uPlot({ width: this.place.clientWidth, height: 150, axes: [axis, { ...axis, size: 55 }], scales: { y: { range: (u, min, max) => [0, max || 1] } },
      series: [{}, ...this.names.map((label, i) => ({ label, stroke: COLORS[i], width: 1.5, spanGaps: true, value: shown(i), points: { show: false } }))] }, this.data(), this.place);
  }
  resize() { if (this.plot) this.plot.setSize({ width: this.place.clientWidth, height: 150 }); }
}

// --- tables
function table(name, part, heads, cells) {
  const rows = part.rows || [], none = document.querySelector(`[data-none="${name}"]`), t = $(name);
  none.hidden = rows.length > 0;
  if (part.error) { none.textContent = part.error; none.className = "none error"; }
  const head = element("tr");
  heads.forEach(h => head.append(element("th", h)));
  t.replaceChildren(...(rows.length ? [head] : []), ...rows.map(r => {
    const tr = element("tr");
    // a cell is a text, null, a long text, or a node
    for (const c of cells(r)) {
      const special = c !== null && typeof c === "object", td = element("td", special ? c.long : c, { className: special && c.long ? "text" : "" });
      if (special && c.node) td.append(c.node);
      tr.append(td);
    }
    return tr;
  }));
}

const button = (text, act) => ({ node: element("button", text, { onclick: act, type: "button" }) });
const kill = (id, query) => async () => {
  if (!confirm(`KILL ${query ? "QUERY " : ""}${id}?`)) return;
  const a = await ask("kill", { id: +id, query });
  if (a.error) $("state").textContent = a.error;
};

function tree(part) {
  const rows = part.rows || [], none = document.querySelector('[data-none="locks"]');
  none.hidden = rows.length > 0;
  if (part.error) { none.textContent = part.error; none.className = "none error"; }
  const waiters = new Set(rows.map(r => r[0]));
  const branch = (id, seen) => {
    const list = element("ul", null, { className: "tree" });
    for (const r of rows) if (r[1] === id && !seen.includes(r[0])) {
      const li = element("li", `${r[0]} waits for ${r[5]} on ${r[2]}.${r[3]} (${r[4] || "table"}): ${r[6] || ""}`);
      li.append(branch(r[0], [...seen, r[0]]));
      list.append(li);
    }
    return list;
  };
  const roots = [...new Set(rows.map(r => r[1]))].filter(id => !waiters.has(id));
  $("locks").replaceChildren(...roots.map(id => { const li = element("li", `${id} blocks`); li.append(branch(id, [id])); return li; }));
}

function show(now) {
  if (before && now.status && before.status) graphs.forEach(g => g.add(now, before));
  before = now;
  tree(now.locks);
  table("metadata", now.metadata, ["connection", "kind", "object", "lock", "status"], r => [r[0], r[1], `${r[2] || ""}.${r[3] || ""}`, r[4], r[5]]);
  table("processes", now.processes, ["id", "user", "host", "database", "command", "seconds", "state", "statement", ""], r =>
    [r[0], r[1], r[2], r[3], r[4], r[5], r[6], { long: r[7] || "" }, r[4] === "Sleep" ? button("End", kill(r[0], false)) : button("Stop", kill(r[0], true))]);
  table("pool", now.pool || {}, ["index", "MB", "young pages", "old pages"], r => [r[0], ((r[1] + r[2]) / 64).toFixed(1), r[1], r[2]]);
  table("digests", now.digests, ["schema", "statement", "times", "seconds", "99 %, ms", "rows read", "rows sent", ""], r =>
    [r[0], { long: r[2] || "" }, r[3], (+r[4]).toFixed(1), (+r[5] * 1000).toFixed(2), r[6], r[7], button("Plan", async () => {
      const a = await ask("plan?digest=" + r[1]);
      $("plan").hidden = false;
      $("plan").textContent = a.error || a.plan || "There is no sample of it.";
    })]);
  $("state").textContent = now.status ? `up ${Math.floor(now.status.Uptime / 60)} min` : "";
}

// --- the last hour, as the server has kept it: columns become looks
function past(h) {
  const of = (columns, i) => Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, values[i]]));
  const may = part => part && !part.error;
  const looks = h.times.map((time, i) => ({ time, status: of(h.status, i),
    waits: { rows: may(h.waits) ? Object.entries(of(h.waits, i)).filter(w => w[1] !== null) : [] },
    spin: { rows: may(h.spin) ? [[h.spin[i]]] : [] }, pool: { rows: may(h.pool) ? h.pool[i] || [] : [] },
    quantiles: may(h.latency) ? of(h.latency, i) : {} }));
  for (const g of graphs) {
    looks.forEach((n, i) => i && g.push(n, looks[i - 1]));
    if (g.times.length) g.draw();
  }
}

async function look() {
  const began = Date.now();
  try { show(await ask("now")); } catch (e) { $("state").textContent = e.message; }
  if (!$("all").hidden) timer = setTimeout(look, Math.max(100, 1000 - (Date.now() - began)));
}

// --- login
function leave() {
  clearTimeout(timer);
  [token, before] = [null, null];
  $("all").hidden = $("leave").hidden = true;
  $("login").hidden = false;
  $("password").value = "";
  $("user").focus();
}

async function enter(given) {
  token = given;
  $("login").hidden = true;
  $("all").hidden = $("leave").hidden = false;
  $("graphs").replaceChildren();
  graphs = GRAPHS.map(g => new Graph(g));
  try { past(await ask("history")); } catch { /* the page shows what comes */ }
  look();
}

$("login").onsubmit = async e => {
  e.preventDefault();
  $("wrong").textContent = "";
  const a = await ask("login", { user: $("user").value, password: $("password").value });
  $("password").value = "";
  if (a.error) { $("wrong").textContent = a.error; return; }
  enter(a.token);
};
$("leave").onclick = async () => { try { await ask("logout", {}); } catch { /* it has ended already */ } leave(); };
addEventListener("resize", () => graphs.forEach(g => g.resize()));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => graphs.forEach(g => g.plot && g.draw()));
// a page that was loaded again is still logged in
fetch("api/again").then(async r => { if (r.ok) enter((await r.json()).token); else leave(); }, leave);
