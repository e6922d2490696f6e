// Lighthouse on pages of the built book: mobile preset, several runs, the median of each category.
//
//   npm install --prefix FOLDER lighthouse       (once; ran with lighthouse 12 on Node 20; needs Chromium on the path)
//   node tools/lighthouse.mjs FOLDER [pages...]   (pages without .html; runs=3 changes the number of runs)
//
// Serves _build/html itself, compressed as web servers do. Exit status 1 if a page misses the course's limits.
// Performance depends on what else the machine does: run it on an idle one.
import { spawnSync } from "node:child_process";
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createGzip } from "node:zlib";

const LIMITS = { performance: 90, accessibility: 100, "best-practices": 100, seo: 100 };
const KINDS = {
  ".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript", ".mjs": "text/javascript",
  ".svg": "image/svg+xml", ".json": "application/json", ".png": "image/png", ".woff2": "font/woff2",
};
const [folder, ...rest] = process.argv.slice(2);
if (!folder) {
  console.error("usage: node tools/lighthouse.mjs FOLDER_WITH_LIGHTHOUSE [runs=3] [pages...]");
  process.exit(2);
}
const runs = Number(rest.find((word) => word.startsWith("runs="))?.slice(5) ?? 3);
const named = rest.filter((word) => !word.startsWith("runs="));
const pages = named.length ? named : ["book/index", "book/04_scaled_dot_product_attention"];
const book = resolve(import.meta.dirname, "../_build/html");

const load = (name) => {
  const home = join(resolve(folder), "node_modules", name);
  const { exports, main } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  const entry = typeof exports === "string" ? exports : exports?.["."]?.import ?? exports?.["."] ?? main;
  return import(pathToFileURL(join(home, entry)));
};
const { default: lighthouse } = await load("lighthouse");
const { launch } = await load("chrome-launcher");

const server = createServer((request, response) => {
  const path = join(book, normalize(decodeURIComponent(new URL(request.url, "http://x").pathname)));
  if (!path.startsWith(book) || !existsSync(path) || !extname(path)) return response.writeHead(404).end();
  const kind = KINDS[extname(path)] ?? "application/octet-stream";
  const packed = /text|json|svg/.test(kind);
  response.writeHead(200, { "content-type": kind, "cache-control": "max-age=3600", ...(packed && { "content-encoding": "gzip" }) });
  const file = createReadStream(path);
  (packed ? file.pipe(createGzip()) : file).pipe(response);
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));

const names = ["chromium", "chromium-browser", "google-chrome"];
const chromePath = names.map((name) => spawnSync("which", [name]).stdout?.toString().trim()).find(Boolean);
const flags = ["--headless=new", ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])];
const median = (numbers) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
let missed = false;
for (const page of pages) {
  const found = [];
  for (let run = 0; run < runs; run++) {
    const chrome = await launch({ chromePath, chromeFlags: flags });
    const url = `http://127.0.0.1:${server.address().port}/${page}.html`;
    const { lhr } = await lighthouse(url, { port: chrome.port, logLevel: "error" });
    chrome.kill();
    found.push(lhr);
  }
  const scores = Object.keys(LIMITS).map((name) => [name, found.map((lhr) => Math.round(lhr.categories[name].score * 100))]);
  const kilobytes = Math.round(found[0].audits["total-byte-weight"].numericValue / 1000);
  console.log(`${page}  ${kilobytes} kB  ` + scores.map(([name, all]) => `${name} ${median([...all])} (${all})`).join("  "));
  for (const [name, all] of scores) {
    if (median(all) >= LIMITS[name]) continue;
    missed = true;
    for (const { id } of found[0].categories[name].auditRefs.filter(({ id, weight }) => weight && found[0].audits[id].score < 0.9)) {
      console.log(`  ${name}: ${id} ${found[0].audits[id].displayValue ?? ""}`);
    }
  }
}
server.close();
process.exit(missed ? 1 : 0);
