// Opens pages of reports in Chromium, and checks what a reader does with them: it reports each problem in a line.
// Usage: ASSAY=PROGRAM node check.mjs CHROMIUM SCREENSHOTS PAGE...
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [executablePath, screenshots, ...pages] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** The fractions of the row of 2^x that is wrong on the page `segment`. */
const SEGMENT = { from: 22 / 64, to: 23 / 64 };
/** Bytes of a page, at most: eight functions have maps of all their inputs. */
const MOST = 1_000_000;
const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 900 } };
/** What was tested begins above this place of a page on a desktop: a reader sees it after one turn of the wheel. */
const TESTED_ABOVE = 1500;
/** Screenshots end here: a page of a hundred tables is no picture. */
const TALLEST = 2000;

const heights = [];
let problems = 0;
let checks = 0;
function check(holds, what) {
  checks += 1;
  if (holds) return;
  problems += 1;
  console.error(`FAILED ${what}`);
}

/** The file of a page, opened in a window of a size, with everything that goes wrong in it. */
async function open(browser, file, size) {
  const context = await browser.newContext({ viewport: SIZES[size], colorScheme: "light", permissions: ["clipboard-read", "clipboard-write"] });
  const page = await context.newPage();
  const name = `${path.basename(path.dirname(file))}, ${size}`;
  page.on("console", (message) => check(message.type() !== "error", `${name}: console: ${message.text()}`));
  page.on("pageerror", (error) => check(false, `${name}: ${error}`));
  page.on("request", (request) => check(request.url().startsWith("file:"), `${name}: a request to ${request.url()}`));
  await page.goto(pathToFileURL(file).href);
  return { context, page, name };
}

/** What holds in each window: nothing is wider than it, and axe-core finds nothing. */
async function looks(page, file, size, theme) {
  const name = `${path.basename(path.dirname(file))}, ${size}, ${theme}`;
  await page.emulateMedia({ colorScheme: theme });
  const wide = await page.evaluate(() => document.scrollingElement.scrollWidth - innerWidth);
  check(wide <= 0, `${name}: the page is ${wide} pixels wider than the window`);
  const height = await page.evaluate(() => document.scrollingElement.scrollHeight);
  if (theme === "light") heights.push(`${String(height).padStart(6)} pixels: ${name}`);
  await page.setViewportSize({ width: SIZES[size].width, height: Math.min(height, TALLEST) });
  const shot = `${path.basename(path.dirname(file))}-${path.basename(file, ".html")}-${size}-${theme}.png`;
  await page.screenshot({ path: path.join(screenshots, shot) });
  await page.setViewportSize(SIZES[size]);
  // The colours of a phone are those of a desktop, and the later rows and articles look as the first.
  if (size === "phone" && theme === "dark") return;
  await page.evaluate(axe);
  const found = await page.evaluate(() => axe.run({ exclude: [["tbody tr:nth-child(n+12)"], ["article:nth-of-type(n+12)"]] }, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"], resultTypes: ["violations"] }));
  for (const { id, help, nodes } of found.violations) check(false, `${name}: axe: ${id}: ${help}: ${nodes[0].html.slice(0, 160)} (${nodes.length})`);
  check(true, name);
}

/** Reads a page as it is laid out: numbers in one piece, what was tested near the top, no table wider than its place. */
async function layout(page, name, size) {
  const found = await page.evaluate(() => {
    const broken = [];
    const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      if (node.parentElement.closest("code")) continue;
      for (const { 0: number, index } of node.data.matchAll(/(?<![\w.])\d[\d,]*(\.\d+)?(?![\w.])/g)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + number.length);
        const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
        if (lines.size > 1) broken.push(number);
      }
    }
    const wide = [...document.querySelectorAll(".scroll")].filter((scroll) => scroll.scrollWidth > scroll.clientWidth);
    const tested = [...document.querySelectorAll("main h2")].find((heading) => heading.textContent.startsWith("What was tested"));
    return {
      broken: broken.slice(0, 5),
      wide: wide.map((scroll) => `${scroll.getAttribute("aria-label") || scroll.closest("section")?.id} by ${scroll.scrollWidth - scroll.clientWidth}`),
      tested: tested ? tested.getBoundingClientRect().top + scrollY : null,
    };
  });
  check(found.broken.length === 0, `${name}: numbers are broken at the end of a line: ${found.broken.join("; ")}`);
  if (size !== "desktop") return;
  check(found.wide.length === 0, `${name}: tables are wider than their place: ${found.wide.join("; ")}`);
  if (found.tested !== null) check(found.tested < TESTED_ABOVE, `${name}: what was tested begins at ${found.tested}`);
}

/** Returns where the marks of failing inputs of a chart can be seen: the least and the greatest place among the columns of its
 * plot, from 0 to 1. These are the columns of pixels that change where the marks are hidden. */
async function seen(page, figure) {
  await figure.scrollIntoViewIfNeeded();
  const box = await (await figure.$(".plot")).boundingBox();
  const shot = async () => (await page.screenshot({ clip: box, animations: "disabled" })).toString("base64");
  const shown = await shot();
  await figure.evaluate((element) => element.classList.add("unmarked"));
  const hidden = await shot();
  await figure.evaluate((element) => element.classList.remove("unmarked"));
  return page.evaluate(async (pictures) => {
    const pixels = await Promise.all(pictures.map(async (picture) => {
      const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
      context.drawImage(bitmap, 0, 0);
      return context.getImageData(0, 0, bitmap.width, bitmap.height);
    }));
    const [{ data, width }, other] = pixels;
    const places = [];
    for (let at = 0; at < data.length; at += 4) {
      if ([0, 1, 2].some((part) => Math.abs(data[at + part] - other.data[at + part]) > 40)) places.push(((at / 4) % width) / width);
    }
    return { pixels: places.length, least: Math.min(...places), most: Math.max(...places) };
  }, [shown, hidden]);
}

/** A wrong row of a table can be seen in its columns of the reduced argument, and nowhere else. */
async function segment(page, name) {
  const findings = await page.$eval("#s-findings", (section) => section.innerText);
  const range = `have a fraction from ${SEGMENT.from} to ${SEGMENT.to}`;
  check(findings.includes(range), `${name}: the findings begin with what the failing inputs have in common: ${range}`);
  await page.addStyleTag({ content: ".unmarked .failing { visibility: hidden; }" });
  const charts = await page.$$("figure.chart:has(.plot):has(.failing)");
  check(charts.length >= 2, `${name}: the error by reduced argument and the map have marks`);
  for (const figure of charts) {
    const title = await figure.$eval("figcaption", (element) => element.textContent);
    const { pixels, least, most } = await seen(page, figure);
    check(pixels >= 9, `${name}: ${title}: ${pixels} pixels of marks of failing inputs`);
    if (!title.includes("reduced argument")) continue;
    const isRight = least > SEGMENT.from - 0.02 && most < SEGMENT.to + 0.02;
    check(isRight, `${name}: ${title}: marks from ${least} to ${most}, and the wrong row is from ${SEGMENT.from} to ${SEGMENT.to}`);
  }
}

/** A click on a cell of the map of coverage gives the command that lists its bins. */
async function coverage(page, name) {
  const map = page.locator("table.map");
  check((await map.count()) === 1, `${name}: there is a map of coverage`);
  await map.evaluate((table) => { table.closest("details").open = true; });
  const place = await map.evaluate((table) => ({ wide: table.offsetWidth - table.closest(".scroll").clientWidth, foot: table.tFoot.textContent }));
  check(place.wide <= 0, `${name}: the map of coverage is ${place.wide} pixels wider than its place`);
  check(place.foot.startsWith("all"), `${name}: the map of coverage has totals`);
  const cell = map.locator("tbody tr:has-text('FFMA_RRR') td[title]").first();
  await cell.click();
  const command = await page.locator("table.map").locator("xpath=ancestor::details").locator("pre.command code").textContent();
  check(/^assay coverage missed \S+ --only FFMA_RRR --topic class$/.test(command), `${name}: a cell gives a command: ${command}`);
  const [hit, bins] = (await cell.getAttribute("title")).match(/([\d,]+) of ([\d,]+) bins/).slice(1).map((count) => Number(count.replaceAll(",", "")));
  const listed = execFileSync(process.env.ASSAY, command.split(" ").slice(1), { encoding: "utf8" }).split("\n").filter(Boolean).length;
  check(listed === bins - hit, `${name}: ${command} lists ${listed} bins, and the cell has ${hit} of ${bins}`);
}

async function links(page, file, name) {
  const targets = await page.$$eval("a[href]", (list) => list.map((link) => {
    const href = link.getAttribute("href");
    return { href, isHere: href.startsWith("#") && document.getElementById(decodeURIComponent(href.slice(1))) !== null };
  }));
  for (const { href, isHere } of targets) {
    const there = isHere || (!href.startsWith("#") && existsSync(fileURLToPath(new URL(href, pathToFileURL(file)))));
    check(there, `${name}: the link ${href} leads nowhere`);
  }
}

async function tables(page, name) {
  for (const summary of await page.$$("details.packed > summary")) {
    // A packed table may lie inside something folded.
    await summary.evaluate((element) => {
      for (let outer = element.parentElement.parentElement; outer; outer = outer.parentElement) if (outer.tagName === "DETAILS") outer.open = true;
    });
    await summary.click();
    // A browser tells a little later that it has opened a part.
    await page.waitForFunction((element) => element.parentElement.querySelector("tbody tr"), summary, { timeout: 5000 }).catch(() => {});
    const rows = await summary.evaluate((element) => element.parentElement.querySelectorAll("tbody tr").length);
    const told = Number((await summary.textContent()).match(/\((\d+) rows\)/)[1]);
    check(rows === told, `${name}: a packed table has ${rows} rows, not ${told}`);
    await summary.click();
  }
  const head = page.locator("main .scroll th button:visible").first();
  if ((await head.count()) === 0) return;
  const column = () => head.evaluate((button) => {
    const cell = button.closest("th");
    const texts = [...button.closest("table").tBodies[0].rows].map((row) => row.cells[cell.cellIndex].textContent.trim());
    return { texts: texts.filter(Boolean), order: cell.getAttribute("aria-sort") };
  });
  await head.focus();
  await page.keyboard.press("Enter");
  const up = await column();
  await head.click();
  const down = await column();
  check(up.order === "ascending" && down.order === "descending", `${name}: a table is sorted by keyboard and by click`);
  check(up.texts.join() === [...down.texts].reverse().join() || new Set(up.texts).size < up.texts.length, `${name}: descending is the reverse of ascending`);
  const filter = page.locator("main .tools input:visible").first();
  if ((await filter.count()) === 0) return;
  const left = () => filter.evaluate((input) => {
    const rows = [...input.closest(".tools").nextElementSibling.querySelectorAll("tbody tr")];
    return { shown: rows.filter((row) => !row.hidden).length, all: rows.length };
  });
  await filter.fill("no row has this text");
  check((await left()).shown === 0, `${name}: a filter hides what does not match`);
  await filter.fill("");
  const { shown, all } = await left();
  check(shown === all, `${name}: an empty filter shows all`);
}

/** The pointer above a mark of the axis reads the exponent of the mark. */
async function readsAsMarked(page, figure, name) {
  const label = Number((await figure.$eval(".tick text", (element) => element.textContent)).replace("−", "-"));
  const [line, plot] = [await (await figure.$(".tick line")).boundingBox(), await (await figure.$(".plot")).boundingBox()];
  await page.mouse.move(line.x + line.width / 2, plot.y + plot.height * 0.5);
  const readout = await figure.$eval(".readout", (element) => element.textContent);
  const exponent = Number(readout.match(/2\^(-?\d+)/)?.[1]);
  check(Math.abs(exponent - label) <= 1, `${name}: above the mark ${label} the readout is ${readout}`);
}

async function charts(page, name) {
  for (const figure of (await page.$$("figure.chart")).slice(0, 12)) {
    await figure.scrollIntoViewIfNeeded();
    if (!(await figure.isVisible())) continue;
    const plot = await figure.$(".plot");
    const box = await plot.boundingBox();
    await page.mouse.move(box.x + box.width * 0.5, box.y + box.height * 0.9);
    const readout = await figure.$eval(".readout", (element) => element.textContent);
    const title = await figure.$eval("figcaption", (element) => element.textContent);
    check(readout.length > 0, `${name}: ${title}: the value under the pointer is shown`);
    if ((await figure.getAttribute("data-kind")) === "grid") await readsAsMarked(page, figure, `${name}: ${title}`);
    const before = await plot.getAttribute("viewBox");
    await (await figure.$('.chart-tools button:nth-child(2)')).click();
    check((await plot.getAttribute("viewBox")) !== before, `${name}: ${title}: a part is drawn larger`);
    await (await figure.$("svg")).focus();
    await page.keyboard.press("0");
    check((await plot.getAttribute("viewBox")) === before, `${name}: ${title}: the key 0 shows all`);
    check((await figure.$eval("svg", (svg) => svg.querySelector("desc").textContent.length)) > 0, `${name}: ${title}: a text stands for the chart`);
  }
}

async function buttons(page, name) {
  const theme = page.locator("button.theme");
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const before = await ground();
  await theme.click();
  check((await ground()) !== before, `${name}: the switch changes light to dark`);
  await theme.click();
  const copy = page.locator("pre.command button:visible").first();
  if ((await copy.count()) === 0) return;
  const text = await copy.evaluate((button) => button.parentElement.querySelector("code").textContent);
  await copy.click();
  check((await page.evaluate(() => navigator.clipboard.readText())) === text, `${name}: a command is copied`);
}

/** What a reader does with a page, on a desktop. */
async function uses(page, file) {
  const name = path.basename(path.dirname(file));
  check(statSync(file).size < MOST, `${name}: ${statSync(file).size} bytes, over ${MOST}`);
  await links(page, file, name);
  await tables(page, name);
  await charts(page, name);
  await buttons(page, name);
  if (name === "segment") await segment(page, name);
  if (name === "sound") await coverage(page, name);
  await page.emulateMedia({ media: "print" });
  check(!(await page.locator("nav.contents").isVisible()), `${name}: paper has no list of contents`);
}

mkdirSync(screenshots, { recursive: true });
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
const waiting = pages.flatMap((page) => Object.keys(SIZES).map((size) => ({ file: path.resolve(page), size })));
async function work() {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const { file, size } = next;
    const { context, page, name } = await open(browser, file, size);
    try {
      for (const theme of ["light", "dark"]) await looks(page, file, size, theme);
      await layout(page, name, size);
      if (size === "desktop") await uses(page, file);
    } catch (error) {
      check(false, `${file}, ${size}: ${error}`);
    }
    await context.close();
  }
}
await Promise.all([work(), work()]);
await browser.close();
console.log(heights.sort((a, b) => parseInt(b, 10) - parseInt(a, 10)).join("\n"));
console.log(`${pages.length} pages, ${checks} checks, ${problems} problems; screenshots in ${screenshots}`);
process.exit(problems === 0 ? 0 : 1);
