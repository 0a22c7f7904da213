// Evaluated in the page: what a reader would stumble over, as sentences. Everything folded is opened first.
(() => {
  for (const details of document.querySelectorAll("details")) details.open = true;
  const where = (element) => element.closest("figure")?.id ?? "no figure";
  const meets = (a, b) => {
    const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    return width > 1 && height > 1;
  };
  const faults = [];
  const page = document.documentElement;
  if (page.scrollWidth > page.clientWidth) {
    faults.push(`the page is ${page.scrollWidth} px wide, the window ${page.clientWidth}`);
  }
  for (const figure of document.querySelectorAll("figure")) {
    if (figure.querySelector("svg[role=img]") === null) faults.push(`${figure.id}: no picture`);
  }
  for (const svg of document.querySelectorAll("svg[role=img]")) {
    const frame = svg.getBoundingClientRect();
    if (frame.width < 100 || frame.height < 40)
      faults.push(`${where(svg)}: picture without a size`);
    const words = [...svg.querySelectorAll("text")].filter(({ textContent }) => textContent.trim());
    const boxes = words.map((word) => word.getBoundingClientRect());
    const marks = [...svg.querySelectorAll("path")].map((mark) => mark.getBoundingClientRect());
    // Those of cost vs. speed are named inside the picture, beside the line that joins them.
    const isNamedInside = where(svg).endsWith("chart-cost");
    boxes.forEach((box, index) => {
      const text = words[index].textContent;
      const isInside = box.left >= frame.left - 1 && box.right <= frame.right + 1;
      if (!isInside) faults.push(`${where(svg)}: "${text}" is cut off`);
      if (!isNamedInside && marks.some((mark) => meets(box, mark))) {
        faults.push(`${where(svg)}: a mark lies on "${text}"`);
      }
      if (box.height < 8) faults.push(`${where(svg)}: "${text}" is ${box.height} px high`);
      boxes.slice(index + 1).forEach((other, later) => {
        if (!meets(box, other)) return;
        faults.push(`${where(svg)}: "${text}" lies on "${words[index + 1 + later].textContent}"`);
      });
    });
  }
  return faults;
})();
