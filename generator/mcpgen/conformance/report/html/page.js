"use strict";
// The page is complete without this: it only hides what a reader does not look for.
const filter = document.querySelector(".filter");
const search = filter.querySelector("input");
const only = filter.querySelector("button");
const told = filter.querySelector("output");
const rows = [...document.querySelectorAll("[data-status]")];
const texts = rows.map((row) => row.textContent.toLowerCase());
const violated = new Set(["failed", "warning", "known"]);

function apply() {
  const wanted = search.value.trim().toLowerCase();
  const narrow = only.getAttribute("aria-pressed") === "true";
  let shown = 0;
  rows.forEach((row, index) => {
    const fits = texts[index].includes(wanted) && (!narrow || violated.has(row.dataset.status));
    row.hidden = !fits;
    shown += fits ? 1 : 0;
  });
  told.textContent = wanted || narrow ? `${shown} of ${rows.length}` : "";
}

function unfold() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let node = target; node; node = node.parentElement) {
    if (node.tagName === "DETAILS") node.open = true;
    node.hidden = false;
  }
}

search.addEventListener("input", apply);
only.addEventListener("click", () => {
  only.setAttribute("aria-pressed", only.getAttribute("aria-pressed") !== "true");
  apply();
});
addEventListener("hashchange", unfold);
filter.hidden = false;
apply();
unfold();
