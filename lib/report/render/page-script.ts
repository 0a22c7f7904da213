/**
 * The page's script sorts the tables of the report, filters them by size and variant, and on a phone moves verdicts
 * to the front. It adds its own controls, so that a page whose script is blocked has none that do nothing. It
 * contains no character that HTML would read as a tag.
 */
export const pageScript = `(() => {
  const tables = [...document.querySelectorAll("#report table")];
  const textOf = (cell) => (cell ? cell.textContent.trim() : "");
  const bodyRows = (table) => [...table.tBodies[0].rows];
  const headOf = (table) => [...table.tHead.rows[0].cells];
  const columnOf = (table, label) => headOf(table).findIndex((cell) => textOf(cell) === label);
  const valueOf = (text) => Number.parseFloat(text.replace(/[$,]/g, ""));

  if (matchMedia("(max-width:30rem)").matches) {
    for (const table of document.querySelectorAll("table")) {
      const verdicts = headOf(table).flatMap((cell, column) => (cell.className === "verdict" ? [column] : []));
      const names = bodyRows(table).length === 0 ? 0 : table.tBodies[0].rows[0].querySelectorAll("th").length;
      if (names === 0) continue;
      for (const row of table.rows) {
        const cells = [...row.cells];
        cells[names - 1].after(...verdicts.map((column) => cells[column]));
      }
    }
  }

  const compared = (a, b, sign) => {
    const [x, y] = [valueOf(a), valueOf(b)];
    const isNumber = [!Number.isNaN(x), !Number.isNaN(y)];
    if (isNumber[0] && isNumber[1]) return sign * (x - y);
    if (isNumber[0] !== isNumber[1]) return isNumber[0] ? -1 : 1;
    return sign * a.localeCompare(b);
  };
  const orders = ["none", "ascending", "descending"];
  for (const table of tables) {
    const rows = bodyRows(table);
    if (!(rows.length > 2)) continue;
    headOf(table).forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.setAttribute("aria-label", "Sort by " + textOf(head));
      head.append(button);
      button.addEventListener("click", () => {
        const order = orders[(orders.indexOf(head.getAttribute("aria-sort") || "none") + 1) % 3];
        for (const other of headOf(table)) other.removeAttribute("aria-sort");
        table.classList.toggle("sorted", order !== "none");
        const sorted = [...rows];
        if (order !== "none") {
          head.setAttribute("aria-sort", order);
          const sign = order === "ascending" ? 1 : -1;
          sorted.sort((a, b) => compared(textOf(a.cells[column]), textOf(b.cells[column]), sign));
        }
        table.tBodies[0].append(...sorted);
      });
    });
  }

  const chosen = { "Memory MB": "", Variant: "" };
  const apply = () => {
    for (const table of tables) {
      const columns = Object.keys(chosen).map((label) => [columnOf(table, label), chosen[label]]);
      for (const row of bodyRows(table)) {
        row.hidden = columns.some(
          ([column, value]) => column >= 0 && value !== "" && textOf(row.cells[column]) !== value,
        );
      }
    }
  };
  const bar = document.createElement("div");
  bar.className = "filters";
  for (const [label, name, unit] of [["Memory MB", "Size", " MB"], ["Variant", "Variant", ""]]) {
    const values = new Set();
    for (const table of tables) {
      const column = columnOf(table, label);
      if (column >= 0) for (const row of bodyRows(table)) values.add(textOf(row.cells[column]));
    }
    if (!(values.size > 1)) continue;
    const select = document.createElement("select");
    const sorted = [...values];
    if (unit !== "") sorted.sort((a, b) => valueOf(a) - valueOf(b));
    select.append(new Option("All", ""), ...sorted.map((value) => new Option(value + unit, value)));
    select.addEventListener("change", () => {
      chosen[label] = select.value;
      apply();
    });
    const field = document.createElement("label");
    field.append(name + " ", select);
    bar.append(field);
  }
  if (bar.childElementCount > 0) document.getElementById("report").prepend(bar);
})();
`;
