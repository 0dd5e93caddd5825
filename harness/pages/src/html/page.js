"use strict";
(() => {
  const root = document.documentElement;
  const [copyWord, copiedWord, filterWord, ofWord, wideWord, resetWord, inWord, outWord] = root.dataset.words.split("|");
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const make = (name, attributes = {}, text = "") => {
    const element = document.createElement(name);
    Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
    element.textContent = text;
    return element;
  };
  const button = (text, label, act) => {
    const element = make("button", { type: "button", "aria-label": label, title: label }, text);
    element.addEventListener("click", act);
    return element;
  };

  // Light and dark: the choice of the reader is kept, where the browser allows it.
  const kept = {
    get: () => { try { return localStorage.getItem("assay-theme"); } catch { return null; } },
    set: (theme) => { try { localStorage.setItem("assay-theme", theme); } catch { /* a file may have no storage */ } },
  };
  if (kept.get()) root.dataset.theme = kept.get();
  all("button.theme").forEach((element) => {
    element.hidden = false;
    element.addEventListener("click", () => {
      const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
      root.dataset.theme = (root.dataset.theme || system) === "dark" ? "light" : "dark";
      kept.set(root.dataset.theme);
    });
  });

  // The list of contents is open where there is room beside the page.
  const contents = document.querySelector("nav.contents details");
  if (contents) {
    contents.open = matchMedia("(min-width: 64.01rem)").matches;
    const links = new Map(all("a", contents).map((link) => [link.hash.slice(1), link]));
    const seen = new IntersectionObserver((entries) => entries.forEach((entry) => {
      const link = links.get(entry.target.id);
      if (!link || !entry.isIntersecting) return;
      all("[aria-current]", contents).forEach((other) => other.removeAttribute("aria-current"));
      link.setAttribute("aria-current", "true");
    }), { rootMargin: "0px 0px -80% 0px" });
    links.forEach((_, id) => { const target = document.getElementById(id); if (target) seen.observe(target); });
  }
  // A link to a place inside something folded opens it.
  const reveal = () => {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let parent = target; parent; parent = parent.parentElement) if (parent.tagName === "DETAILS") parent.open = true;
    if (target) target.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  if (location.hash) reveal();

  // Commands to copy.
  const copy = async (text) => {
    try { await navigator.clipboard.writeText(text); } catch {
      const area = make("textarea", {}, text);
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
  };
  const furnishCommand = (pre) => {
    const text = pre.textContent;
    const element = button(copyWord, copyWord, async () => {
      await copy(text);
      element.textContent = copiedWord;
      setTimeout(() => { element.textContent = copyWord; }, 1500);
    });
    pre.append(element);
  };
  all("pre.command").forEach(furnishCommand);

  // The command about a clicked cell.
  all("table[data-command]").forEach((table) => {
    const heads = all("thead th", table).map((head) => head.textContent);
    const place = make("div", { class: "about-cell", role: "status" });
    table.closest(".scroll").after(place);
    table.addEventListener("click", (event) => {
      const cell = event.target.closest("tbody td[title]");
      if (!cell) return;
      const names = { row: cell.parentElement.cells[0].textContent, column: heads[cell.cellIndex] };
      const command = make("pre", { class: "command" });
      command.append(make("code", {}, table.dataset.command.replace(/\{(row|column)\}/g, (_, which) => names[which])));
      furnishCommand(command);
      place.replaceChildren(make("p", { class: "note" }, cell.title), command);
    });
  });

  // Tables: sorted by a click on a head, filtered by a text.
  const number = (text) => {
    const power = text.match(/^2\^(-?[\d.]+)/);
    if (power) return 2 ** Number(power[1]);
    const digits = text.replace(/,/g, "").replace(/\u2212/g, "-").match(/^[<>]?\s*([+-]?\d*\.?\d+(?:e[+-]?\d+)?)/i);
    return digits ? Number(digits[1]) : NaN;
  };
  const compare = (a, b) => {
    const [x, y] = [number(a), number(b)];
    if (!Number.isNaN(x) && !Number.isNaN(y) && x !== y) return x - y;
    return a.localeCompare(b, undefined, { numeric: true });
  };
  const sort = (table, column, head) => {
    const down = head.getAttribute("aria-sort") === "ascending";
    all("th", table).forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => [row.cells[column].textContent.trim(), row]);
    // Empty cells stay at the end in either order.
    rows.sort(([a], [b]) => (a === "") - (b === "") || (down ? compare(b, a) : compare(a, b)));
    body.append(...rows.map(([, row]) => row));
  };
  const furnish = (scroll) => {
    const table = scroll.querySelector("table");
    const count = table.tBodies[0].rows.length;
    if (count < 4) return;
    all("thead th", table).forEach((head) => {
      const element = make("button", { type: "button" }, head.textContent);
      element.addEventListener("click", () => sort(table, head.cellIndex, head));
      head.replaceChildren(element);
    });
    if (count < 16) return;
    const label = [filterWord, scroll.getAttribute("aria-label")].filter(Boolean).join(": ");
    const input = make("input", { type: "search", placeholder: filterWord, "aria-label": label });
    const shown = make("span", { role: "status" });
    input.addEventListener("input", () => {
      const wanted = input.value.toLowerCase();
      let left = 0;
      for (const row of table.tBodies[0].rows) {
        row.hidden = !row.textContent.toLowerCase().includes(wanted);
        left += !row.hidden;
      }
      shown.textContent = wanted ? `${left} ${ofWord} ${count}` : "";
    });
    const tools = make("div", { class: "tools" });
    tools.append(input, shown);
    scroll.before(tools);
  };
  // Rows that are kept as text: see table.rs.
  const unpack = (details) => {
    const template = details.querySelector("template");
    if (!template) return;
    const kinds = [...details.dataset.kinds];
    let above = [];
    const rows = template.content.textContent.split("\n").map((line) => {
      above = line.split("\t").map((cell, column) => (cell === '"' ? above[column] : cell));
      const row = make("tr");
      row.append(...kinds.map((kind, column) => {
        const cell = make("td", kind === "n" ? { class: "number" } : {}, kind === "c" ? "" : above[column]);
        if (kind === "c" && above[column]) cell.append(make("code", {}, above[column]));
        return cell;
      }));
      return row;
    });
    details.querySelector("tbody").append(...rows);
    template.remove();
    furnish(details.querySelector(".scroll"));
  };
  all("details.packed").forEach((details) => details.addEventListener("toggle", () => details.open && unpack(details)));
  all(".scroll").filter((scroll) => !scroll.closest("details.packed")).forEach(furnish);

  // Charts: the value under the pointer or the cursor, and a part drawn larger.
  const furnishChart = (figure) => {
    const svg = figure.querySelector("svg");
    const plot = svg.querySelector(".plot");
    const box = { x: Number(plot.getAttribute("x")), y: Number(plot.getAttribute("y")), width: Number(plot.getAttribute("width")), height: Number(plot.getAttribute("height")) };
    const values = (figure.dataset.values || "").split(";");
    const [word, first, step] = (figure.dataset.columns || "||").split("|");
    const bars = all(".bars rect", plot);
    const view = { from: 0, to: 1 };
    const readout = make("p", { class: "readout", role: "status" });
    const cursor = document.createElementNS(svg.namespaceURI, "line");
    cursor.setAttribute("class", "cursor");
    const selection = document.createElementNS(svg.namespaceURI, "rect");
    selection.setAttribute("class", "selection");
    const ticks = all(".tick", svg).map((tick) => {
      const [line, text] = [tick.querySelector("line"), tick.querySelector("text")];
      return { tick, line, text, at: (Number(line.getAttribute("x1")) - box.x) / box.width, label: text.getAttribute("x") };
    });
    const columns = figure.dataset.values ? values.length : Number(figure.dataset.count || 256);
    let place = null;

    const name = (at) => {
      if (!figure.dataset.columns) return "";
      const column = Math.min(columns - 1, Math.floor(at * columns));
      return word + Number((Number(first) + column * Number(step)).toPrecision(6));
    };
    const titled = (at, text) => (name(at) ? `${name(at)}: ${text}` : text);
    const describe = (at, up) => {
      if (figure.dataset.kind === "ranges") {
        const value = values[Math.min(columns - 1, Math.floor(at * columns))];
        const ends = value ? value.split(" ").map((end) => `${Number(end) > 0 ? "+" : ""}${Number(end)}`).join(" … ") + " ulp" : "–";
        return `${name(at)}: ${ends}`;
      }
      if (figure.dataset.kind === "quantiles") {
        const value = values[Math.min(columns - 1, Math.floor(at * columns))];
        const [half, most, all] = value.split(" ");
        return titled(at, value ? `half ≤ ${half}, 99 % ≤ ${most}, all ≤ ${all} ulp` : "–");
      }
      const x = box.x + at * box.width;
      if (figure.dataset.kind === "bars") {
        const bar = bars.find((rect) => x >= Number(rect.getAttribute("x")) && x < Number(rect.getAttribute("x")) + Number(rect.getAttribute("width")));
        return bar ? bar.querySelector("title").textContent : "–";
      }
      const point = svg.createSVGPoint();
      [point.x, point.y] = [x, box.y + (1 - up) * box.height];
      const cell = all("path", plot).reverse().find((path) => {
        const { matrix } = path.transform.baseVal.consolidate();
        return path.isPointInStroke(point.matrixTransform(matrix.inverse()));
      });
      const significand = (1 + Math.floor(up * Number(figure.dataset.rows)) / Number(figure.dataset.rows)).toFixed(4);
      return `${name(at)} × ${significand}: ${cell ? cell.dataset.label : "–"}`;
    };
    const draw = () => {
      const width = (view.to - view.from) * box.width;
      const left = box.x + view.from * box.width;
      plot.setAttribute("viewBox", `${left} ${box.y} ${width} ${box.height}`);
      ticks.forEach(({ tick, line, text, at, label }) => {
        const moved = (at - view.from) / (view.to - view.from);
        tick.style.display = moved < -0.001 || moved > 1.001 ? "none" : "";
        const x = box.x + moved * box.width;
        [line.x1, line.x2].forEach((end) => { end.baseVal.value = x; });
        text.setAttribute("x", view.from === 0 && view.to === 1 ? label : x);
      });
    };
    const zoom = (from, to) => {
      const width = Math.min(1, Math.max(8 / Math.max(columns, 16), to - from));
      view.from = Math.min(1 - width, Math.max(0, (from + to - width) / 2));
      view.to = view.from + width;
      draw();
    };
    const show = (at, up) => {
      place = { at: Math.min(1, Math.max(0, at)), up };
      const x = box.x + place.at * box.width;
      Object.entries({ x1: x, x2: x, y1: box.y, y2: box.y + box.height }).forEach(([key, value]) => cursor.setAttribute(key, value));
      plot.append(cursor);
      readout.textContent = describe(place.at, up);
    };
    const where = (event) => {
      const frame = svg.getBoundingClientRect();
      const scale = svg.viewBox.baseVal.width / frame.width;
      const across = ((event.clientX - frame.left) * scale - box.x) / box.width;
      const up = 1 - ((event.clientY - frame.top) * scale - box.y) / box.height;
      return { at: view.from + across * (view.to - view.from), up: Math.min(0.9999, Math.max(0, up)) };
    };

    let began = null;
    svg.addEventListener("pointermove", (event) => {
      const { at, up } = where(event);
      show(at, up);
      if (began === null) return;
      const [low, high] = [Math.min(began, at), Math.max(began, at)];
      Object.entries({ x: box.x + low * box.width, y: box.y, width: (high - low) * box.width, height: box.height })
        .forEach(([key, value]) => selection.setAttribute(key, value));
      plot.append(selection);
    });
    svg.addEventListener("pointerdown", (event) => {
      if (event.pointerType !== "mouse" || event.button !== 0) return show(where(event).at, where(event).up);
      began = where(event).at;
      svg.setPointerCapture(event.pointerId);
    });
    svg.addEventListener("pointerup", (event) => {
      const { at } = where(event);
      selection.remove();
      if (began !== null && Math.abs(at - began) > 0.01) zoom(Math.min(began, at), Math.max(began, at));
      began = null;
    });
    svg.addEventListener("dblclick", () => zoom(0, 1));
    svg.addEventListener("pointerleave", () => { cursor.remove(); readout.textContent = ""; });
    const closer = (factor) => {
      const centre = place ? place.at : (view.from + view.to) / 2;
      const half = (view.to - view.from) * factor / 2;
      zoom(centre - half, centre + half);
    };
    svg.setAttribute("tabindex", "0");
    svg.addEventListener("keydown", (event) => {
      const one = (view.to - view.from) / Math.min(columns, 64);
      const at = place ? place.at : view.from;
      const act = {
        ArrowLeft: () => show(at - one, place ? place.up : 0), ArrowRight: () => show(at + one, place ? place.up : 0),
        "+": () => closer(0.5), "-": () => closer(2), 0: () => zoom(0, 1), Escape: () => zoom(0, 1),
      }[event.key];
      if (!act) return;
      act();
      event.preventDefault();
    });

    const title = figure.querySelector("figcaption").textContent;
    const tools = make("div", { class: "chart-tools", role: "group", "aria-label": title });
    tools.append(
      button("−", outWord, () => closer(2)), button("+", inWord, () => closer(0.5)),
      button("↺", resetWord, () => zoom(0, 1)), button("⤢", wideWord, () => (figure.closest(".figures > div") || figure).classList.toggle("wide")),
    );
    figure.append(tools, readout);
  };
  all("figure.chart").forEach(furnishChart);
})();
